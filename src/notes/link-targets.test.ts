// What a link names: the id, and where it was said to lie.

import { describe, expect, it } from 'vitest';
import { idOf, linksOf, targetOf } from './links.ts';

describe('the target of a link', () => {
  it.each([
    ['decision-001', { to: 'decision-001' }],
    [' decision-001.md ', { to: 'decision-001' }],
    ['decisions/use-jwt', { to: 'use-jwt', in: 'decisions' }],
    ['nodes/decisions/decision-001.md', { to: 'decision-001', in: 'nodes/decisions' }],
    ['record:decisions/use-jwt', { to: 'use-jwt', in: 'record:decisions' }],
    ['Record:use-jwt.json', { to: 'use-jwt', in: 'record:' }],
    ['note:file-a', { to: 'file-a', in: 'note:' }],
    ['../tasks/task-a', { to: 'task-a', in: 'tasks' }],
    ['nodes\\tasks\\task-a', { to: 'task-a', in: 'nodes/tasks' }],
    ['', { to: '' }],
  ])('%j is %j', (written, target) => {
    expect(targetOf(written)).toEqual(target);
    expect(idOf(written)).toBe(target.to);
  });

  it('keeps the folder of wiki-links and of bare ids', () => {
    expect(linksOf('See [[decisions/use-jwt|why]].\ndepends_on:: record:runbooks/restart')).toEqual([
      { to: 'use-jwt', in: 'decisions', relation: 'links_to', text: 'why' },
      { to: 'restart', in: 'record:runbooks', relation: 'depends_on' },
    ]);
  });
});
