// Conversations of our own making, as Claude Code writes them: many topics, decisions that replace others, questions with
// answers, tools, todos, commits, a compaction, subagents, lines that nobody can read.

export type Conversation = { readonly session: string; readonly lines: readonly string[] };

const PARTS = ['gateway', 'ledger', 'invoice page', 'search index', 'login form', 'export job', 'mail queue', 'cache'];
const TOOLS = ['Postgres', 'Redis', 'Kafka', 'SQLite', 'Nginx', 'Docker', 'Terraform', 'Playwright'];

/** The same for the same number. */
export function conversation(number: number, turns: number, cwd = '/work/example'): Conversation {
  const session = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const pick = picker(number + 1);
  const lines: string[] = [];
  let time = Date.UTC(2026, 3, 1 + number, 9);
  const common = (): object => {
    time += 20_000 + pick(60_000);
    return { sessionId: session, cwd, gitBranch: 'main', version: '2.1.325', timestamp: new Date(time).toISOString() };
  };
  const user = (content: unknown): number =>
    lines.push(
      JSON.stringify({ type: 'user', ...common(), uuid: `u${lines.length}`, message: { role: 'user', content } }),
    );
  const assistant = (...content: object[]): number =>
    lines.push(
      JSON.stringify({
        type: 'assistant',
        ...common(),
        uuid: `a${lines.length}`,
        message: { id: `m${lines.length}`, role: 'assistant', content },
      }),
    );
  const text = (said: string): object => ({ type: 'text', text: said });
  const use = (name: string, input: object): object => ({ type: 'tool_use', id: `t${lines.length}`, name, input });
  const result = (content: string): number =>
    user([{ type: 'tool_result', tool_use_id: `t${lines.length - 1}`, content }]);

  for (let turn = 0; turn < turns; turn++) {
    const [part, tool, other] = [PARTS[pick(PARTS.length)]!, TOOLS[pick(TOOLS.length)]!, TOOLS[pick(TOOLS.length)]!];
    switch (pick(9)) {
      case 0:
        user(`How should we store the data of the ${part}, in ${tool} or in ${other}?`);
        assistant(text(`We decided to use ${tool} for the ${part}, because ${other} is too slow for it.`));
        break;
      case 1:
        user(`The ${part} fails with a timeout when ${tool} restarts.`);
        assistant(
          text(`Maybe it is the connection pool of ${tool}. Let me look.`),
          use('Read', { file_path: `${cwd}/src/${part.replace(' ', '-')}.ts` }),
        );
        result('x'.repeat(pick(4_000)));
        assistant(
          text(`The root cause was a missing retry. Fixed by adding a retry to \`connect${turn}\` in the ${part}.`),
        );
        break;
      case 2:
        user(`Let's switch from ${other} to ${tool} for the ${part} instead.`);
        assistant(
          text(
            `Switched the ${part} from ${other} to ${tool}.\n\n- TODO: remove the old ${other} settings\n- TODO: document the ${part}`,
          ),
        );
        break;
      case 3:
        user(`Okay, let's move on to the ${part}. My key is sk-ant-api03-${'k'.repeat(93)}AA, do not keep it.`);
        assistant(text('I will not keep it.'));
        break;
      case 4:
        assistant(use('Bash', { command: `git commit -m "Add ${tool} to the ${part}"` }));
        result('[main abc1234] done');
        break;
      case 5:
        assistant(use('TodoWrite', { todos: [{ content: `Write tests for the ${part}`, status: 'pending' }] }));
        result('ok');
        break;
      case 6:
        lines.push('{"type":"progress","data":{"half"');
        lines.push(JSON.stringify({ type: 'system', subtype: 'compact_boundary', ...common() }));
        break;
      case 7:
        user(`<private>The password of the ${part} is swordfish.</private> Why is the ${part} slow with ${tool}?`);
        assistant(
          text(`In the ${part}, ${tool} scans the whole table. That did not help: an index on ${turn} was ignored.`),
        );
        break;
      default:
        user('thanks');
        assistant(text(`You're welcome. 日本語の文章も残ります。${part} は ${tool} を使います。`));
    }
  }
  return { session, lines };
}

/** Small whole numbers, the same sequence for the same start. */
function picker(start: number): (below: number) => number {
  let state = Math.imul(start, 2_654_435_761) >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}
