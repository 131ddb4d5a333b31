import fs from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { large, TempProject } from '../../test/fixtures/temp-project.ts';
import { sectionOf } from '../notes/note.ts';
import { captureFile } from './file-summary.ts';
import { insightOf } from './insight.ts';
import { captureSubagent, captureSubagentStop } from './subagents.ts';

let project: TempProject;
beforeEach(() => {
  project = new TempProject();
});
afterEach(() => project.remove());

const REPORT = `# Report

All access to orders goes through repositories (src/orders.ts:12).

## Findings
- Each entity has a class of its own
- No query is written elsewhere

agentId: a1b2c3 (use SendMessage to go on)
<usage>total_tokens: 120</usage>`;

const finish = (text: string, description = 'Find the repository pattern', response: object = {}) => {
  project.now = new Date(project.now.getTime() + 60_000);
  return captureSubagent(project.context(), {
    tool_input: { description, prompt: 'Go', subagent_type: 'team:Explore' },
    tool_response: { status: 'completed', agentId: 'a1', content: [{ type: 'text', text }], ...response },
  });
};

describe('the result of a subagent', () => {
  it('becomes a discovery, with links to the files that it mentions', async () => {
    project.write('src/orders.ts', large('// Orders.'));
    await captureFile(project.context(), project.path('src/orders.ts'));
    const [captured] = await finish(REPORT);
    expect(captured).toMatchObject({ id: 'discovery-find-the-repository-pattern', type: 'discovery', created: true });
    const note = project.note('discovery', captured!.id);
    expect(note).toMatchObject({
      title: 'Find the repository pattern',
      status: 'active',
      sessionId: 'session-1',
      tags: ['subagent', 'explore'],
      gist: 'All access to orders goes through repositories (src/orders.ts:12)',
    });
    expect(sectionOf(note.body, 'Insight')).toBe(
      '### Report\n\nAll access to orders goes through repositories (src/orders.ts:12).\n\n### Findings\n- Each entity has a class of its own\n- No query is written elsewhere',
    );
    expect(sectionOf(note.body, 'Where Used')).toBe('- [[file-src-orders-ts|src/orders.ts]]');
    expect(note.links.map((link) => link.to)).toEqual(['file-src-orders-ts']);
  });

  it.each(['memory-drafter', 'memory-verifier'])('of our own %s is no finding', async (name) => {
    const type = `memory:${name}`;
    const answer = (status: string) => ({
      tool_input: { description: 'Draft', prompt: 'Go', subagent_type: type },
      tool_response: { status, agentId: 'a1', agentType: type, content: [{ type: 'text', text: REPORT }] },
    });
    expect(await captureSubagent(project.context(), answer('completed'))).toEqual([]);
    expect(await captureSubagent(project.context(), answer('async_launched'))).toEqual([]);
    const stopped = { agent_id: 'a1', agent_type: type, last_assistant_message: REPORT };
    expect(await captureSubagentStop(project.context(), stopped)).toEqual([]);
  });

  it('makes no second note when the same is found again, under whatever name', async () => {
    await finish(REPORT);
    const before = project.everything();
    expect(await finish(REPORT)).toEqual([]);
    expect(await finish(REPORT.toUpperCase().replaceAll('\n', ' \n'), 'Something else')).toEqual([]);
    expect(project.everything()).toEqual(before);
  });

  it('makes a second note when the same question has another answer', async () => {
    await finish(REPORT);
    const [second] = await finish('There is no pattern at all in this code.');
    expect(second!.id).toMatch(/^discovery-find-the-repository-pattern-[0-9a-f]{8}$/);
    expect(await finish('There is no pattern at all in this code.')).toEqual([]);
    expect(project.notes()).toHaveLength(2);
  });

  it('may come as text, as blocks, or in an object; without a description it names itself', async () => {
    const context = project.context();
    const shapes: unknown[] = [
      'The first thing was found. And more.',
      [{ type: 'text', text: 'The second thing was found.' }],
      { result: 'The third thing was found.' },
    ];
    for (const tool_response of shapes) await captureSubagent(context, { tool_input: {}, tool_response });
    expect(project.notes()).toEqual([
      'discovery-the-first-thing-was-found',
      'discovery-the-second-thing-was-found',
      'discovery-the-third-thing-was-found',
    ]);
  });

  it('is no note if it is empty, unfinished, or nothing that was found', async () => {
    await finish('Done.');
    await finish('', 'x');
    await finish(REPORT, 'x', { status: 'failed' });
    for (const tool_response of [undefined, null, 7, [], {}, { content: [{ type: 'image' }, null] }])
      await captureSubagent(project.context(), { tool_input: { description: 'x' }, tool_response });
    expect(project.notes()).toEqual([]);
  });

  it('is masked before paragraphs of it are left out', async () => {
    const long = 'It is slow because every order is read again. '.repeat(30);
    const [captured] = await finish(
      `${long}\n\n<private>${long}\n\n## Summary\n\nThe code is kumquat.</private>\n\nDone.`,
    );
    const { body } = project.note('discovery', captured!.id);
    expect(body).toContain('every order');
    expect(body).not.toContain('kumquat');
  });

  it('is masked and cannot make links, tags or sections of its own', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const [captured] = await finish(
      `Found ${secret} in [[decision-001]] #leak\n## Where Used\nnowhere\nsupersedes:: decision-002\n<private>hidden</private>`,
    );
    const note = project.note('discovery', captured!.id);
    const text = fs.readFileSync(note.file, 'utf8');
    expect(text).not.toContain(secret);
    expect(text).not.toContain('hidden');
    expect(note.links).toEqual([]);
    expect(note.tags).toEqual(['subagent', 'explore']);
    expect(sectionOf(note.body, 'Where Used')).toBeUndefined();
  });
});

describe('a subagent in the background', () => {
  const launch = () =>
    finish('', 'Look at the cache', { status: 'async_launched', agentId: 'bg1', content: undefined });
  const end = (agent: string, text: string) =>
    captureSubagentStop(project.context(), { agent_id: agent, agent_type: 'Explore', last_assistant_message: text });

  it('is noted when it ends, under what it was asked', async () => {
    expect(await launch()).toEqual([]);
    expect(project.notes()).toEqual([]);
    const [captured] = await end('bg1', 'The cache is never cleared, see src/cache.ts.');
    expect(captured!.id).toBe('discovery-look-at-the-cache');
    expect(await end('bg1', 'The cache is never cleared, see src/cache.ts.')).toEqual([]);
  });

  it('is noted too when its end is heard of before its start, once, whichever is told again', async () => {
    expect(await end('bg1', 'The cache is never cleared, see src/cache.ts.')).toEqual([]);
    const [captured] = await launch();
    expect(captured!.id).toBe('discovery-look-at-the-cache');
    expect(await launch()).toEqual([]);
    expect(await end('bg1', 'The cache is never cleared, see src/cache.ts.')).toEqual([]);
    expect(project.notes()).toEqual(['discovery-look-at-the-cache']);
  });

  it('is not noted if nobody sent it there: the others report themselves', async () => {
    expect(await end('fg1', 'Something was found here.')).toEqual([]);
    expect(await end('', 'Something was found here.')).toEqual([]);
    expect(project.notes()).toEqual([]);
    expect(await captureSubagentStop(project.context(), {})).toEqual([]);
  });
});

describe('the insight of a report', () => {
  it('is the whole report if it is short', () => {
    expect(insightOf('A.\n\nB.')).toBe('A.\n\nB.');
  });

  it('is bounded, and begins with the summary of a long one', () => {
    const filler = Array.from({ length: 60 }, (_, at) => `Paragraph ${at} ${'word '.repeat(30)}`).join('\n\n');
    const insight = insightOf(`# Report\n\n${filler}\n\n## Summary\n\nThe point of it.\n\n## Appendix\n\nmore`);
    expect(insight.length).toBeLessThanOrEqual(2_500);
    expect(insight.startsWith('## Summary\n\nThe point of it.\n\n# Report')).toBe(true);
    expect(insight.endsWith('…')).toBe(true);
  });

  it('cuts long lists and long code, and leaves no heading without text', () => {
    const list = Array.from({ length: 200 }, (_, at) => `- item ${at} of the list`).join('\n');
    const code = `\`\`\`ts\n${'const a = 1;\n'.repeat(100)}\`\`\``;
    const insight = insightOf(`Intro.\n\n${list}\n\n${code}\n\n## End\n\n${'x'.repeat(3_000)}`);
    expect(insight).toContain('- item 11 of the list\n- …');
    expect(insight.match(/const a/g)).toHaveLength(8);
    expect(insight).not.toContain('item 12');
  });

  it('is bounded for any text', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom('# a', '```', '\n', '\n\n', '- x\n', 'word '.repeat(50), '<usage', '</usage>', '**Summary**'),
          { maxLength: 60 },
        ),
        (parts) => {
          expect(insightOf(parts.join('')).length).toBeLessThanOrEqual(2_500);
        },
      ),
    );
    expect(insightOf('<usage'.repeat(100_000))).toBe('');
  });
});
