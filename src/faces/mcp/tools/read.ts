// `get`, `candidates`, `related`, `topics`, `status`: looking without changing anything.

import fs from 'node:fs';
import path from 'node:path';
import type { Document, ShownTrace, TopicTree } from '../../../app/trace-memory.ts';
import { isTrusted } from '../../../config/load.ts';
import { CairnError } from '../../../errors.ts';
import { originOf, originText } from '../../../model/provenance.ts';
import { readableOutcome } from '../../../model/readable.ts';
import { LIFECYCLE_EVENTS } from '../../../model/record.ts';
import { any, boolean, choice, integer, list, number, object, optional, text } from '../../../model/schema.ts';
import { exchangeFields, topicFields } from '../../../model/span-fields.ts';
import { stanceWords } from '../../../model/stance-words.ts';
import { cutCodePoints, stripUnsafe, stripUnsafeText } from '../../../model/text.ts';
import type { ServerSession } from '../server-session.ts';
import { defineTool, type ToolAnswer } from '../tool.ts';
import { refOfPath, refOfRecord } from './record-refs.ts';

const anyRef = text({
  minLength: 1,
  maxLength: 300,
  describe: 'record:…, note:…, idea:…, span:… or commit:…, as recall gives it.',
});
const MAX_TEXT = 20_000;
const MAX_SAID = 600;
const UNTRUSTED = '[untrusted] This memory came with the repository, and the user has not agreed to it.';
const iso = (time: number): string => new Date(time).toISOString();

export const getTool = defineTool({
  name: 'get',
  title: 'Read one memory',
  description:
    'One memory whole: a record with its hash, a note, or a statement or topic of a conversation with the lines around it.',
  traits: { reads: true },
  input: object({
    ref: anyRef,
    lines: optional(integer({ min: 0, max: 20, describe: 'Turns around it. Default 3.' })),
  }),
  output: object({
    ref: text(),
    layer: text(),
    file: optional(text()),
    hash: optional(text({ describe: 'For update.' })),
    record: optional(any('The record as it is in its file.')),
    text: optional(text()),
    untrusted: optional(boolean('Came with the repository; the user has not agreed to it.')),
    details: optional(any('Of a conversation: when, topic, relations, lines around it.')),
  }),
  async run({ ref, lines }, serverSession) {
    if (/^(?:idea|span|commit):/.test(ref)) {
      const turns = { before: lines ?? 3, after: lines ?? 3 };
      return shownTrace(await serverSession.traces((memory) => memory.show(ref, turns)));
    }
    return shownFile(ref, serverSession);
  },
});

async function shownFile(ref: string, serverSession: ServerSession): Promise<ToolAnswer> {
  const memory = await serverSession.memory();
  const stranger = isTrusted(memory.config.trust) ? {} : { untrusted: true };
  const mark = isTrusted(memory.config.trust) ? '' : `${UNTRUSTED}\n`;
  if (!ref.startsWith('note:')) {
    const found = memory.read(ref);
    const data = {
      ref: refOfRecord(found),
      layer: 'record',
      file: found.file,
      hash: found.hash,
      record: found.record,
      ...stranger,
    };
    return { text: `${mark}${data.ref} (hash ${data.hash})\n${JSON.stringify(found.record)}`, data };
  }
  const note = memory.findNote(ref);
  if (!note) throw new CairnError('NOT_FOUND', `There is no note ${JSON.stringify(ref)}.`);
  const said = cutCodePoints(stripUnsafeText(fs.readFileSync(note.file, 'utf8')), MAX_TEXT);
  return {
    text: mark + said,
    data: { ref: `note:${note.id}`, layer: 'note', file: note.file, text: said, ...stranger },
  };
}

function shownTrace(shown: ShownTrace): ToolAnswer {
  const { document, span, exchange, inside, relations, entities, around, tie } = shown;
  const stance = stanceWords(document.meta?.stance);
  const origin = originOf(document.meta);
  const whole = document.kind === 'commit' ? `${document.title}\n\n${document.text}` : document.text;
  const said = cutCodePoints(stripUnsafeText(whole), MAX_TEXT);
  const details = {
    kind: document.kind,
    title: stripUnsafe(document.title),
    when: iso(document.createdAt),
    ...(origin ?? {}),
    session: document.session ?? null,
    source: document.source ?? null,
    ...(stance ? { stance } : {}),
    ...(tie ? { comes_from: tie } : {}),
    topic: span ? { ref: span.ref, name: stripUnsafe(span.title) } : null,
    exchange: exchange ? exchangeOf(exchange) : null,
    mentions: entities.slice(0, 20).map(({ name }) => stripUnsafe(name)),
    relations: relations.map((each) => relationOf(each, document.ref)),
    inside: inside.slice(0, 50).map((each) => ({ ref: each.ref, kind: each.kind, title: stripUnsafe(each.title) })),
    around: (around?.lines ?? []).map(({ line, who, text: words }) => ({
      line,
      who,
      text: cutCodePoints(stripUnsafe(words.replace(/\s+/g, ' ')), MAX_SAID),
    })),
  };
  const lines = [
    `${document.ref} (${document.kind}, ${details.when.slice(0, 16)}${origin ? `, ${originText(origin)}` : ''}${stance ? `, ${stance}` : ''}${details.topic ? `, in ${details.topic.name}` : ''})`,
    said,
    ...(details.exchange ? [`asked: ${details.exchange.asked} → ${details.exchange.outcome}`] : []),
    ...details.relations.map((each) => `${each.relation} ${each.ref}${each.title ? `: ${each.title}` : ''}`),
    ...details.around.map((each) => `${each.line} ${each.who}: ${each.text}`),
  ];
  return { text: lines.join('\n'), data: { ref: document.ref, layer: document.layer, text: said, details } };
}

function relationOf({ link, other }: ShownTrace['relations'][number], ref: string) {
  const out = link.from === ref;
  return {
    relation: out ? link.relation : `${link.relation} (from there)`,
    ref: out ? link.to : link.from,
    confidence: link.confidence,
    title: other ? stripUnsafe(other.title) : '',
  };
}

export const candidatesTool = defineTool({
  name: 'candidates',
  title: 'Find the record to update',
  description: 'Tell which record new information belongs to: update that one, create another, or do nothing.',
  traits: { reads: true },
  input: object({
    category: text({ minLength: 1, maxLength: 60 }),
    text: text({ minLength: 1, maxLength: 20_000, describe: 'The new information.' }),
    event: optional(choice(LIFECYCLE_EVENTS, 'What happened to the thing, if it ended.')),
  }),
  output: object({
    ref: optional(text()),
    candidate: any('The record with an excerpt, or null.'),
    action: text({ describe: 'CREATE, UPDATE, UPDATE_OR_DELETE or NOOP.' }),
    delete_allowed: boolean(),
    vetoes: list(text()),
    hints: list(text()),
  }),
  async run(given, serverSession) {
    const memory = await serverSession.memory();
    const category = memory.category(given.category);
    const request = { category, newInfo: given.text, ...(given.event ? { lifecycleEvent: given.event } : {}) };
    const { answer, warnings } = await memory.candidate(request);
    const { candidate, structural_cud: action, delete_allowed, vetoes } = answer;
    const ref = candidate ? { ref: refOfPath(candidate.path) } : {};
    const stranger = isTrusted(memory.config.trust) ? [] : [UNTRUSTED];
    const hints = [...answer.hints, ...warnings, ...stranger];
    const lines = [`${action}${candidate ? `: ${ref.ref} ${candidate.title}` : ''}`, ...vetoes, ...hints];
    return { text: lines.join('\n'), data: { ...ref, candidate, action, delete_allowed, vetoes, hints } };
  },
});

const relatedItem = object({
  ref: text(),
  kind: text(),
  title: text(),
  status: text(),
  score: optional(number()),
  why: list(text()),
});

export const relatedTool = defineTool({
  name: 'related',
  title: 'Find related memories',
  description: 'What a memory is linked to and why: links, shared tags, relations of statements; best first.',
  traits: { reads: true },
  input: object({ ref: anyRef, limit: optional(integer({ min: 1, max: 50, describe: 'Default 10.' })) }),
  output: object({ related: list(relatedItem), total: integer() }),
  async run({ ref, limit }, serverSession) {
    const most = limit ?? 10;
    const { related, total } = /^(?:idea|span):/.test(ref)
      ? await relatedTraces(ref, most, serverSession)
      : await relatedFiles(ref, most, serverSession);
    const lines = related.map((each) => `- ${each.ref} (${each.kind}) ${each.title}: ${each.why.join(', ')}`);
    return { text: lines.join('\n') || 'Nothing is linked to it.', data: { related, total } };
  },
});

async function relatedFiles(ref: string, limit: number, serverSession: ServerSession) {
  const { found, total } = (await serverSession.graph()).query({ related: ref, limit });
  const related = found.map(({ ref: each, node, score, why = [] }) => ({
    ref: each,
    kind: node.type,
    title: stripUnsafe(node.title),
    status: node.status,
    ...(score === undefined ? {} : { score }),
    why: [...why],
  }));
  return { related, total };
}

async function relatedTraces(ref: string, limit: number, serverSession: ServerSession) {
  const { document, relations, inside } = await serverSession.traces((memory) =>
    memory.show(ref, { before: 0, after: 0 }),
  );
  const tied = relations.map((each) => {
    const { ref: other, relation, title, confidence } = relationOf(each, document.ref);
    const found = each.other;
    return {
      ref: other,
      kind: found?.kind ?? '',
      title,
      status: found?.status ?? '',
      score: confidence,
      why: [relation],
    };
  });
  const held = inside.map((each) => ({
    ref: each.ref,
    kind: each.kind,
    title: stripUnsafe(each.title),
    status: each.status,
    why: ['in this topic'],
  }));
  const all = [...tied, ...held];
  return { related: all.slice(0, limit), total: all.length };
}

export const topicsTool = defineTool({
  name: 'topics',
  title: 'List topics of conversations',
  description: 'What past conversations were about, the newest first.',
  traits: { reads: true },
  input: object({
    session: optional(text({ maxLength: 200, describe: 'One conversation, by its id or the beginning of it.' })),
    limit: optional(integer({ min: 1, max: 100, describe: 'Default 20.' })),
    all_projects: optional(boolean()),
  }),
  output: object({
    topics: list(
      object({
        ref: text(),
        name: text(),
        summary: text(),
        session: optional(text()),
        outcome: optional(text()),
        decided: optional(list(text())),
        left: optional(list(text())),
        commits: optional(list(text())),
        exchanges: list(object({ ref: text(), asked: text(), outcome: text() })),
        started_at: text(),
        ended_at: text(),
      }),
    ),
  }),
  async run({ session, limit, all_projects: all }, serverSession) {
    const wanted = { limit: limit ?? 20, ...(session ? { session } : {}), ...(all ? { all: true } : {}) };
    const topics = (await serverSession.traces((memory) => memory.topics(wanted))).map(topicOf);
    const lines = topics.map(
      ({ ref, started_at, name, outcome = '' }) =>
        `- ${ref} (${started_at.slice(0, 10)}) ${name}${outcome === '' ? '' : ` → ${outcome}`}`,
    );
    return { text: lines.join('\n') || 'No conversation is known yet.', data: { topics } };
  },
});

const topicOf = ({ topic, exchanges }: TopicTree) => {
  const { outcome, decided, left, commits } = topicFields(topic.meta) ?? {};
  const plain = (said: string): string => cutCodePoints(stripUnsafe(said), MAX_SAID);
  return {
    ref: topic.ref,
    name: stripUnsafe(topic.title),
    summary: cutCodePoints(stripUnsafeText(topic.text), MAX_SAID),
    ...(topic.session === undefined ? {} : { session: topic.session }),
    ...(outcome ? { outcome: plain(readableOutcome(outcome)) } : {}),
    ...(decided?.length ? { decided: decided.map(plain) } : {}),
    ...(left?.length ? { left: left.map(plain) } : {}),
    ...(commits?.length ? { commits: commits.map(plain) } : {}),
    exchanges: exchanges.map(exchangeOf),
    started_at: iso(topic.createdAt),
    ended_at: iso(topic.updatedAt),
  };
};

function exchangeOf({ ref, title, meta }: Document) {
  const { asked = '', outcome = '' } = exchangeFields(meta) ?? {};
  const plain = (said: string): string => cutCodePoints(stripUnsafe(said), MAX_SAID);
  return { ref, asked: plain(asked || title), outcome: plain(readableOutcome(outcome)) };
}

export const statusTool = defineTool({
  name: 'status',
  title: 'Show the state of memory',
  description: 'Where the memory of this project is, what it holds, and whether it needs attention.',
  traits: { reads: true },
  input: object({}),
  output: object({
    project: text(),
    memory_root: text(),
    user_root: text(),
    exists: boolean(),
    records: any('Counts by category and state.'),
    notes: integer(),
    conversations: any('What is indexed, or why that cannot be told.'),
    trust: text({ describe: 'agreed, own, new or untrusted.' }),
    issues: list(text()),
  }),
  async run(_, serverSession) {
    const memory = await serverSession.memory();
    const { projectRoot, memoryRoot, userRoot } = memory.config.paths;
    const exists = fs.existsSync(memoryRoot);
    const health = exists ? memory.health() : undefined;
    const conversations = await conversationsOf(serverSession, userRoot);
    const data = {
      project: projectRoot,
      memory_root: memoryRoot,
      user_root: userRoot,
      exists,
      records: Object.fromEntries(
        (health?.categories ?? []).map(({ name, active, retired, archived }) => [name, { active, retired, archived }]),
      ),
      notes: exists ? memory.loadNotes().notes.length : 0,
      conversations,
      trust: memory.config.trust.state,
      issues: [...(isTrusted(memory.config.trust) ? [] : [UNTRUSTED]), ...(health?.issues ?? [])],
    };
    const { active = 0, retired = 0, archived = 0 } = health?.totals ?? {};
    const lines = [
      `${memoryRoot}: ${active} active records, ${retired} retired, ${archived} archived, ${data.notes} notes`,
      `Conversations: ${JSON.stringify(conversations)}`,
      ...(data.issues.length > 0 ? data.issues : ['Health: good']),
    ];
    return { text: lines.join('\n'), data };
  },
});

/** A store that cannot be opened is part of the state, not a reason to say nothing. */
async function conversationsOf(serverSession: ServerSession, userRoot: string) {
  if (!fs.existsSync(path.join(userRoot, 'memory.db'))) return { indexed: 0 };
  try {
    const { sessions, spans, ideas, transcripts } = await serverSession.traces((memory) => memory.stats());
    return { indexed: transcripts, sessions, topics: spans, statements: ideas };
  } catch (error) {
    if (error instanceof CairnError) return { problem: error.message };
    throw error;
  }
}
