// A page of another origin, open in the same browser, tries to read and to change the memory: by fetch, form, frame, script,
// picture and socket. It even knows the port. Nothing comes back, nothing changes.

import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ROUTES } from '../../src/viewer-api/protocol.ts';
import { snapshot } from '../fixtures/temporary.ts';
import { describeViewer, REF, visit } from './stage.ts';

const FOREIGN = '<!doctype html><title>hostile</title><p>hostile</p>';

async function hostilePage(): Promise<{ origin: string; close: () => void }> {
  const server = http.createServer((_, response) => response.setHeader('content-type', 'text/html').end(FOREIGN));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

describeViewer('a page of another origin', (stage) => {
  it('cannot read or change anything', async () => {
    const hostile = await hostilePage();
    const own = await visit(stage); // the user has the viewer open in the same browser
    const before = snapshot(stage.made.memory);
    const page = await own.context.newPage();
    await page.goto(hostile.origin);
    const tried = await page.evaluate(
      async ({ target, paths, ref, prefix }) => {
        const got: { [name: string]: string } = {};
        const attempt = async (name: string, work: () => Promise<unknown>) => {
          got[name] = await work().then(
            (value) => `got ${String(value).slice(0, 200)}`,
            () => 'refused',
          );
        };
        for (const api of paths) {
          await attempt(`fetch ${api}`, async () => (await fetch(target + api)).text());
          await attempt(`blind ${api}`, async () => {
            const response = await fetch(target + api, { mode: 'no-cors' });
            return response.type === 'opaque' ? Promise.reject(new Error('opaque')) : response.text();
          });
        }
        const body = JSON.stringify({ action: 'retire', ref, reason: 'hostile' });
        await attempt('post json', async () =>
          (
            await fetch(`${target}/api/act`, {
              method: 'POST',
              body,
              headers: { 'content-type': 'application/json', [prefix]: 'guess' },
            })
          ).text(),
        );
        await attempt('post plain', async () => {
          await fetch(`${target}/api/act`, {
            method: 'POST',
            body,
            mode: 'no-cors',
            headers: { 'content-type': 'text/plain' },
          });
          throw new Error('opaque');
        });
        await attempt(
          'frame',
          () =>
            new Promise((resolve, reject) => {
              const frame = document.createElement('iframe');
              frame.src = `${target}/`;
              frame.onload = () => {
                try {
                  resolve(frame.contentDocument!.body.textContent);
                } catch {
                  reject(new Error('other origin'));
                }
              };
              document.body.append(frame);
              setTimeout(() => reject(new Error('nothing')), 3_000);
            }),
        );
        await attempt(
          'script',
          () =>
            new Promise((resolve, reject) => {
              const script = document.createElement('script');
              script.src = `${target}/api/overview`;
              script.onload = () => resolve('loaded');
              script.onerror = () => reject(new Error('refused'));
              document.body.append(script);
            }),
        );
        await attempt(
          'socket',
          () =>
            new Promise((resolve, reject) => {
              const socket = new WebSocket(`${target.replace('http', 'ws')}/api/changes`);
              socket.onopen = () => resolve('open');
              socket.onerror = () => reject(new Error('refused'));
            }),
        );
        await attempt(
          'events',
          () =>
            new Promise((resolve, reject) => {
              const source = new EventSource(`${target}/api/changes`);
              source.onmessage = () => resolve('event');
              source.onerror = () => {
                source.close();
                reject(new Error('refused'));
              };
            }),
        );
        const form = document.createElement('form');
        Object.assign(form, { method: 'post', action: `${target}/api/act`, enctype: 'text/plain', target: 'sink' });
        const sink = Object.assign(document.createElement('iframe'), { name: 'sink' });
        const field = Object.assign(document.createElement('input'), {
          name: `${body.slice(0, -1)},"x":"`,
          value: '"}',
        });
        form.append(field);
        document.body.append(sink, form);
        form.submit();
        await new Promise((resolve) => setTimeout(resolve, 800));
        const stored = Object.values({ ...localStorage, ...sessionStorage }).join('');
        await attempt('storage', () => (stored ? Promise.resolve(stored) : Promise.reject(new Error('empty'))));
        return got;
      },
      {
        target: stage.ui.origin,
        paths: Object.values(ROUTES).map(({ path: api }) => api),
        ref: REF,
        prefix: 'x-cairn-token',
      },
    );
    hostile.close();
    expect(Object.entries(tried).filter(([, outcome]) => outcome !== 'refused')).toEqual([]);
    expect(snapshot(stage.made.memory)).toEqual(before);
    expect(own.problems).toEqual([]);
  });

  it('is not told anything by the files of the page', async () => {
    const index = await fetch(`${stage.ui.origin}/`);
    const policy = index.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/default-src 'none'|default-src 'self'/);
    expect(policy).not.toContain('unsafe');
    expect(policy).toMatch(/frame-ancestors 'none'/);
    expect(index.headers.get('access-control-allow-origin')).toBeNull();
    const html = await index.text();
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|\sstyle=|https?:\/\//);
    const token = new URL(stage.ui.address).hash.replace('#token=', '');
    expect(token.length).toBeGreaterThan(20);
    expect(html).not.toContain(token);
  });

  it('shows what memories say as text, whatever they say', async () => {
    const evil = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>';
    const file = path.join(stage.made.memory, 'preferences/small-pull-requests.json');
    const record = JSON.parse(fs.readFileSync(file, 'utf8'));
    fs.writeFileSync(
      file,
      JSON.stringify({ ...record, title: `${evil}`.slice(0, 110), content: { ...record.content, reason: evil } }),
    );
    const { page, problems } = await visit(stage, { hash: '#/memory?ref=record%3Apreferences%2Fsmall-pull-requests' });
    await page.waitForSelector('.content');
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.textContent('.content')).toContain('onerror');
    expect(await page.title()).not.toBe('owned');
    expect(problems).toEqual([]);
  });
});
