// Which node a link means, among notes and records of the same name.

import { beforeEach, describe, expect, it } from 'vitest';
import { GraphText } from './graph-text.ts';
import { LinkNames } from './link-names.ts';

let names: LinkNames;
beforeEach(() => {
  names = new LinkNames(GraphText.empty());
  names.add('Task-A', 'task');
  names.add('use-jwt', 'decision');
  names.add('record:decisions/use-jwt', 'decision');
  names.add('record:runbooks/use-jwt', 'runbook');
  names.add('record:runbooks/restart', 'runbook');
  names.add('record:decisions/restart', 'decision');
});

describe('a link', () => {
  it.each([
    ['a note, in any case', { to: 'tASK-a' }, 'Task-A'],
    ['the note before the records of its name', { to: 'use-jwt' }, 'use-jwt'],
    ['the note in the folder that is named', { to: 'use-jwt', in: 'decisions' }, 'use-jwt'],
    [
      'the record in the folder that is named, before a note elsewhere',
      { to: 'use-jwt', in: 'runbooks' },
      'record:runbooks/use-jwt',
    ],
    ['the record, if that is said', { to: 'use-jwt', in: 'record:decisions' }, 'record:decisions/use-jwt'],
    ['a record without a folder', { to: 'use-jwt', in: 'record:' }, 'record:decisions/use-jwt'],
    ['the note, if that is said', { to: 'use-jwt', in: 'note:' }, 'use-jwt'],
    ['the note below nodes', { to: 'use-jwt', in: 'nodes/decisions' }, 'use-jwt'],
    ['the note, if the folder is wrong', { to: 'Task-A', in: 'errors' }, 'Task-A'],
    ['the first of several records', { to: 'RESTART' }, 'record:decisions/restart'],
    ['nothing, if the REF is wrong', { to: 'use-jwt', in: 'record:preferences' }, undefined],
    ['nothing, if no note has the name', { to: 'restart', in: 'note:' }, undefined],
    ['nothing, if nobody has the name', { to: 'nowhere' }, undefined],
  ])('means %s', (_what, link, key) => {
    expect(names.resolve(link)).toBe(key);
  });

  it('means the next one when the first is gone', () => {
    names.remove('use-jwt');
    expect(names.resolve({ to: 'use-jwt' })).toBe('record:decisions/use-jwt');
    names.remove('record:decisions/use-jwt');
    expect(names.resolve({ to: 'use-jwt' })).toBe('record:runbooks/use-jwt');
    names.remove('record:runbooks/use-jwt');
    expect(names.resolve({ to: 'use-jwt' })).toBeUndefined();
  });
});
