// Starts the page: takes the token out of the address before anything else is drawn, then shows the frame.

import { render } from 'preact';
import { App } from './app.tsx';
import { takeToken } from './client.ts';
import { rememberScroll } from './route.ts';
import { applyTheme } from './theme.ts';

takeToken();
rememberScroll();
applyTheme();
render(<App />, document.getElementById('app')!);
