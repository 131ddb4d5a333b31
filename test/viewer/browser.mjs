// The system's Chromium, driven by playwright-core, and a `cairn ui` to point it at. Tests, screenshots and measurements use it.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { BINARY } from './made-up-project.mjs';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

/** Undefined where there is none. */
export function chromiumPath() {
  const { CAIRN_CHROMIUM } = process.env;
  return CAIRN_CHROMIUM ? CAIRN_CHROMIUM : PLACES.find((place) => existsSync(place));
}

/** Without a GPU WebGL is drawn by the processor; `webgl: false` is a browser that has none. */
export function launch({ webgl = true } = {}) {
  return chromium.launch({
    executablePath: chromiumPath(),
    args: [
      '--no-sandbox',
      '--lang=en-GB',
      '--disable-dev-shm-usage',
      ...(webgl ? ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'] : ['--disable-gpu', '--disable-3d-apis']),
    ],
  });
}

/** `cairn ui` in a project, until `stop`. */
export function startUi({ project, env }) {
  const child = spawn(process.execPath, [BINARY, 'ui', '--no-open', '--json'], { cwd: project, env });
  const said = { out: '', err: '' };
  child.stderr.on('data', (data) => {
    said.err += data;
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.kill('SIGINT');
    await ended;
  };
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (data) => {
      said.out += data;
      if (!said.out.includes('\n')) return;
      const { address, port } = JSON.parse(said.out);
      resolve({ address, port, origin: new URL(address).origin, said, stop });
    });
    child.once('exit', (code) => reject(new Error(`cairn ui ended with ${code}: ${said.err}`)));
  });
}
