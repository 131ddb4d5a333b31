import { describe, expect, it } from 'vitest';
import { aliasTable } from './alias-table.ts';

describe('a table of aliases', () => {
  it('holds the pairs of names among its entries, the alias without case and uneven blanks', () => {
    const entries = [
      'pg=PostgreSQL',
      ' The  Shop = web-shop ',
      'no pair',
      '=name',
      'alias=',
      'a=b=c',
      `${'x'.repeat(999)}=y`,
    ];
    expect([...aliasTable(entries)]).toEqual([
      ['pg', 'PostgreSQL'],
      ['the shop', 'web-shop'],
      ['a', 'b=c'],
    ]);
  });
});
