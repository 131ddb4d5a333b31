// Types of browser.mjs.

import type { Browser } from 'playwright-core';
import type { MadeProject } from './made-up-project.mjs';

export type Ui = {
  /** With the token. */
  readonly address: string;
  readonly origin: string;
  readonly port: number;
  readonly said: { readonly out: string; readonly err: string };
  readonly stop: () => Promise<void>;
};
export function chromiumPath(): string | undefined;
export function launch(options?: { webgl?: boolean }): Promise<Browser>;
export function startUi(made: Pick<MadeProject, 'project' | 'env'>): Promise<Ui>;
