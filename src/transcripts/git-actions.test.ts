import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GitAction, gitActions, gitActionsOfWords } from './git-actions.ts';

const commitsIn = (actions: readonly GitAction[]) => actions.filter((action) => action.did === 'commit');
const commitSubjects = (script: string): string[] =>
  commitsIn(gitActions(script)).flatMap(({ subject }) => subject ?? []);
const bodies = (script: string): (string | undefined)[] => commitsIn(gitActions(script)).map(({ body }) => body);

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
    ["git commit -m 'Expand $HOME in paths'", 'Expand $HOME in paths'],
    ["git commit -F - <<'EOF'\nExpand $HOME in paths\nEOF", 'Expand $HOME in paths'],
    ['git commit -m "Fix it" > out.txt 2>&1', 'Fix it'],
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
    'for i in 1 2; do git commit -m "WIP $i"; done',
    'git commit -m "Release $VERSION"',
    'git commit -m "Release $(cat VERSION)"',
    'git commit -m "Release `cat VERSION`"',
    'git commit -F - <<EOF\nRelease $VERSION\nEOF',
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
    expect(gitActionsOfWords(['git', 'commit', '-m', 'Fix it'])).toEqual([{ did: 'commit', subject: 'Fix it' }]);
    expect(gitActionsOfWords(['git', 'push'])).toEqual([]);
    expect(gitActionsOfWords([])).toEqual([]);
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

describe('the body of a commit', () => {
  it('is what stands below the subject', () => {
    expect(bodies(HERE)).toEqual(['It was lost when the buffer was full (see #12).']);
    expect(bodies("git commit -m 'a' -m 'b' -m 'c'")).toEqual(['b\n\nc']);
    expect(bodies("git commit -F - <<'EOF'\nFix it\n\n- one\n- two\nEOF")).toEqual(['- one\n- two']);
    expect(bodies("git commit -m @'\nFix it\n\nBecause.\n'@")).toEqual(['Because.']);
    expect(bodies("git commit -m 'Fix it'")).toEqual([undefined]);
  });

  it('is without what programs put below it', () => {
    const message = [
      'Fix it',
      '',
      'Because.',
      'Fixes: #12',
      '',
      '🤖 Generated with [Claude Code](https://claude.com/claude-code)',
      '',
      'Co-Authored-By: Claude <noreply@anthropic.com>',
      'Signed-off-by: Me <me@example.org>',
    ].join('\n');
    expect(bodies(`git commit -m "$(cat <<'EOF'\n${message}\nEOF\n)"`)).toEqual(['Because.\nFixes: #12']);
    expect(bodies("git commit -m 'Fix it' -m 'Co-Authored-By: Claude <noreply@anthropic.com>'")).toEqual([undefined]);
  });

  it('may hang on a variable: the rest of it is kept', () => {
    expect(bodies('git commit -m "Fix it" -m "Took $TIME seconds"')).toEqual(['Took $TIME seconds']);
  });
});

describe('a pull request', () => {
  it.each([
    ["gh pr create --title 'Fix it' --body 'Because.'", { title: 'Fix it', body: 'Because.' }],
    ['gh pr create --title="Fix it" --body="" --base main', { title: 'Fix it' }],
    ['git push && gh pr create -t "Fix it" -b "Because."', { title: 'Fix it', body: 'Because.' }],
    [
      "gh pr create --title 'Fix it' --body-file - <<'EOF'\n## Why\n\nBecause.\nEOF",
      { title: 'Fix it', body: '## Why\n\nBecause.' },
    ],
    [
      'gh pr create --title "Fix it" --body "$(cat <<\'EOF\'\n## Why\n\nBecause of `$X`.\n\n🤖 Generated with [Claude Code](https://x)\nEOF\n)"',
      { title: 'Fix it', body: '## Why\n\nBecause of `$X`.' },
    ],
    ["glab mr create --title 'Fix it' --description 'Because.'", { title: 'Fix it', body: 'Because.' }],
  ])('is found in %s', (script, found) => {
    expect(gitActions(script)).toEqual([{ did: 'pull-request', ...found }]);
  });

  it.each([
    'gh pr create --fill',
    'gh pr create --title "$TITLE"',
    'gh pr view 12',
    'echo gh pr create --title x',
    'gh pr',
  ])('is not found in %s', (script) => expect(gitActions(script)).toEqual([]));
});

describe('what is taken back', () => {
  it.each([
    ['git revert abc1234', ['abc1234']],
    ['git revert --no-edit -m 1 HEAD~2 HEAD', ['HEAD~2', 'HEAD']],
    ['git checkout -- src/a.ts "src/b c.ts" 2>&1', ['src/a.ts', 'src/b c.ts']],
    ['git checkout main -- src/a.ts', ['src/a.ts']],
    ['git checkout .', ['.']],
    ['git restore src/a.ts src/b.ts > /dev/null', ['src/a.ts', 'src/b.ts']],
    ['git restore --source HEAD~1 -- src/a.ts', ['src/a.ts']],
    ['git restore --staged --worktree src/a.ts', ['src/a.ts']],
    ['git -C app reset --hard', ['HEAD']],
    ['git reset --hard HEAD~1 && git push -f', ['HEAD~1']],
  ])('is found in %s', (script, what) => {
    expect(gitActions(script)).toEqual([{ did: 'revert', what }]);
  });

  it.each([
    'git revert --abort',
    'git checkout main',
    'git checkout -b fix',
    'git checkout -- $file',
    'git restore --staged src/a.ts',
    'git restore -S src/a.ts',
    'git reset src/a.ts',
    'git reset --soft HEAD~1',
    'git reset --hard "$base"',
    'git log --grep "git revert"',
  ])('is not found in %s', (script) => expect(gitActions(script)).toEqual([]));
});
