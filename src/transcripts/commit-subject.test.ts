import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commitSubjects, subjectOfWords } from './commit-subject.ts';

const HERE = `git add -A && git commit -m "$(cat <<'EOF'
Keep the "last" token; don't drop it

It was lost when the buffer was full (see #12).
EOF
)" && git push`;

describe('the subject of a commit', () => {
  it.each([
    ['git commit -m "Fix the parser"', 'Fix the parser'],
    ["git commit -m 'Fix the parser'", 'Fix the parser'],
    ['git commit -am "Fix the parser"', 'Fix the parser'],
    ['git commit -a -s -m "Fix the parser"', 'Fix the parser'],
    ['git commit -m"Fix the parser"', 'Fix the parser'],
    ['git commit -m Fix', 'Fix'],
    ['git commit --message="Fix the parser"', 'Fix the parser'],
    ["git commit --message 'Fix the parser' --no-verify", 'Fix the parser'],
    ['git commit -m "Say \\"hello\\" for \\$5"', 'Say "hello" for $5'],
    ["git commit -m 'a' -m 'b'", 'a'],
    ["git commit -m $'Fix it\\n\\nbody'", 'Fix it'],
    ['git -C packages/a -c user.name=x commit -m "Fix it"', 'Fix it'],
    ['/usr/bin/git commit -m "Fix it"', 'Fix it'],
    ['cd app && GIT_EDITOR=true git commit --no-verify -m "Fix it" 2>&1 | tail -3', 'Fix it'],
    ['git add .\ngit commit \\\n  -m "Fix it"', 'Fix it'],
    ['git commit -m "\n\nFix it\n\nbody"', 'Fix it'],
    ["git commit -F - <<'EOF'\nFix it\n\nbody with 'quotes\nEOF\ngit push", 'Fix it'],
    ['git commit --file=- <<-EOF\n\tFix it\n\tEOF', 'Fix it'],
    ['git commit -m "$(cat <<EOF\nFix it\nEOF\n)"', 'Fix it'],
    ['git commit -m "$(cat <<\'EOF\'\n  Fix it\n  EOF\n  )"', 'Fix it'],
    ["git commit -m @'\nFix it\n'@", 'Fix it'],
    [HERE, 'Keep the "last" token; don\'t drop it'],
  ])('is found in %s', (command, subject) => {
    expect(commitSubjects(command)).toEqual([subject]);
  });

  it.each([
    'git status',
    'git commit',
    'git commit --amend --no-edit',
    'git commit -F message.txt',
    'git commit -m "$MESSAGE"',
    'git commit -m "$(cat message.txt)"',
    'git log --grep "commit -m x"',
    'git commit-tree -m "no"',
    'echo "git commit -m \'no\'"',
    'echo git commit -m no',
    '# git commit -m "no"',
    'grep -rn "git commit -m" .',
    "cat > hook.sh <<'EOF'\ngit commit -m 'no'\nEOF",
    'npm run commit -- -m "no"',
  ])('is not found in %s', (command) => {
    expect(commitSubjects(command)).toEqual([]);
  });

  it('is found for each of several commits', () => {
    expect(commitSubjects('git commit -m "one" && git add b; git commit -m "two"')).toEqual(['one', 'two']);
  });

  it('is read from words that are known already', () => {
    expect(subjectOfWords(['git', 'commit', '-m', 'Fix it'])).toBe('Fix it');
    expect(subjectOfWords(['git', 'push'])).toBeUndefined();
    expect(subjectOfWords([])).toBeUndefined();
  });

  it('is cut where it is very long', () => {
    expect(commitSubjects(`git commit -m "${'x'.repeat(5_000)}"`)[0]).toHaveLength(300);
  });

  it('is one line of the command, whatever the command is', () => {
    const piece = fc.constantFrom(
      'git commit -m ',
      '"',
      "'",
      '$(',
      ')',
      '<<EOF',
      '\n',
      'EOF',
      '\\',
      'x y',
      '`',
      ' ',
      '-F -',
      '#',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        for (const subject of commitSubjects(pieces.join(''))) expect(subject).toMatch(/^\S(?:.*\S)?$/);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is looked for in linear time in a hostile command', () => {
    for (const piece of ['$(', '<<A ', '"$(cat <<A\n', "'", 'git commit -m ', '`'])
      expect(commitSubjects(`git commit ${piece.repeat(30_000)}`).length).toBeLessThan(20_000);
  });
});
