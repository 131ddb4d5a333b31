// Each language is tried on what people would say, two remarks per category: together they must be enough to trigger
// it, with the default thresholds. Then on small talk about work, which must trigger nothing.

import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../config/settings/settings.ts';
import { triage } from '../triage.ts';
import { compileVocabulary } from './compile-vocabulary.ts';
import type { Vocabulary } from './words.ts';

const SENTENCES: { [language: string]: { [category: string]: string[] } } = {
  en: {
    decision: ['We decided to keep SQLite because it needs no server.', 'I picked esbuild over rollup for the hooks.'],
    runbook: ['The build failed again; the root cause was a stale cache.', 'That error is resolved by deleting dist.'],
    constraint: [
      'Turns out the plan cannot hold more than ten seats.',
      'We hit the rate limit of the platform at noon.',
    ],
    tech_debt: ['That is a hack for now, we keep the old parser.', 'TODO: split the file, the risk is too high today.'],
    preference: ['Always use named exports, that is the rule here.', 'We agreed: the convention is kebab-case.'],
  },
  de: {
    decision: [
      'Wir haben uns für SQLite entschieden, weil es ohne Server läuft.',
      'Gewählt wurde am Ende esbuild statt rollup.',
    ],
    runbook: [
      'Der Test ist fehlgeschlagen; die Ursache war ein alter Zwischenspeicher.',
      'Den Fehler habe ich behoben, indem ich den Ordner gelöscht habe.',
    ],
    constraint: [
      'Es hat sich herausgestellt, dass der Dienst Umlaute nicht unterstützt.',
      'Mehr als zehn Plätze sind auf dieser Plattform nicht möglich.',
    ],
    tech_debt: [
      'Das ist eine Notlösung, die wir vorerst behalten.',
      'Den Umbau haben wir zurückgestellt, weil das Risiko zu groß ist.',
    ],
    preference: [
      'Bitte verwende immer benannte Exporte, das ist bei uns die Regel.',
      'Ab sofort schreiben wir Dateinamen einheitlich klein.',
    ],
  },
  fr: {
    decision: [
      'Nous avons choisi SQLite parce que rien ne tourne sur un serveur.',
      'On a opté pour esbuild plutôt que rollup.',
    ],
    runbook: [
      "Le test a échoué : la cause était un cache trop ancien, c'est corrigé.",
      "L'erreur est résolue, il fallait supprimer le dossier ; problème résolu.",
    ],
    constraint: [
      "Il s'avère que le service ne peut pas traiter plus de dix demandes.",
      'Les accents ne sont pas pris en charge par cette plateforme.',
    ],
    tech_debt: [
      "C'est de la dette technique, on la garde pour l'instant.",
      'La refonte est reportée, ou plutôt : on a reporté la migration car le risque est trop grand.',
    ],
    preference: [
      "Utilise toujours des exports nommés, c'est la règle ici.",
      'Je préfère des noms de fichiers en minuscules, à appliquer systématiquement.',
    ],
  },
  es: {
    decision: [
      'Hemos decidido usar SQLite porque no necesita servidor.',
      'Al final elegimos esbuild en lugar de rollup.',
    ],
    runbook: [
      'La compilación falló otra vez; la causa era una caché vieja.',
      'El fallo está resuelto: bastaba con borrar la carpeta.',
    ],
    constraint: [
      'Resulta que no se puede abrir más de diez sesiones.',
      'Esta plataforma no admite nombres con tildes.',
    ],
    tech_debt: [
      'Es un parche, por ahora lo dejamos así.',
      'Queda como deuda técnica porque el riesgo es demasiado alto.',
    ],
    preference: [
      'Usa siempre exportaciones con nombre, es la regla del equipo.',
      'A partir de ahora, los ficheros en minúsculas; lo hemos acordado así.',
    ],
  },
  ja: {
    decision: ['サーバーが要らないので、SQLiteを使うことに決めました。', 'rollupではなくesbuildを採用しました。'],
    runbook: ['ビルドが失敗しました。原因は古いキャッシュでした。', 'このエラーはフォルダを消すと解決します。'],
    constraint: [
      '同時に十件以上は処理できません。調べて判明しました。',
      'このプラットフォームには件数の上限があります。',
    ],
    tech_debt: ['とりあえず暫定の実装のままにします。', 'リスクが高いため、移行は後回しにしました。'],
    preference: [
      '今後はファイル名を小文字に統一してください。',
      'コーディング規約として、名前付きエクスポートがルールです。',
    ],
  },
  zh: {
    decision: ['我们决定用 SQLite，因为它不需要服务器。', '最后采用了 esbuild，而不是 rollup。'],
    runbook: ['构建又失败了，根本原因是缓存太旧。', '删除目录以后，这个报错就修复了。'],
    constraint: ['我们发现这个接口不支持超过十个请求。', '在这个平台上无法修改文件名。'],
    tech_debt: ['这是临时方案，暂时先保留。', '因为风险太大，迁移推迟到下个月。'],
    preference: ['以后都用小写文件名，这是我们的规则。', '从现在起一律使用具名导出，保持统一。'],
  },
};

const SMALL_TALK: { [language: string]: string[] } = {
  en: ['Please show me the listing.', 'Here is the file you asked for; it has three sections.', 'Thanks, that is all.'],
  de: ['Zeig mir bitte die Liste.', 'Hier ist die Datei, sie hat drei Abschnitte.', 'Danke, das ist alles für heute.'],
  fr: ['Montre-moi la liste, merci.', 'Voici le fichier, il y a trois sections.', "C'est tout pour aujourd'hui."],
  es: ['Enséñame la lista, por favor.', 'Aquí está el archivo, tiene tres secciones.', 'Gracias, eso es todo.'],
  ja: ['一覧を見せてください。', 'こちらがファイルです。三つの章があります。', 'ありがとう、今日はここまでです。'],
  zh: ['请给我看看列表。', '这是文件，里面有三个部分。', '谢谢，今天就到这里。'],
};

function triggered(lines: readonly string[], added?: Vocabulary): string[] {
  const messages = lines.map((text) => ({ role: 'user' as const, text, tools: [] }));
  const { triggers } = triage({ messages, offered: new Set(), isSaving: false }, defaultSettings(), added);
  return triggers.map(({ category }) => category);
}

describe('the vocabulary', () => {
  for (const [language, categories] of Object.entries(SENTENCES))
    for (const [category, lines] of Object.entries(categories))
      it(`hears a ${category} in ${language}`, () => {
        expect(triggered(lines)).toContain(category);
      });

  for (const [language, lines] of Object.entries(SMALL_TALK))
    it(`hears nothing in small talk in ${language}`, () => {
      expect(triggered(lines)).toEqual([]);
    });

  it('lets boosters strengthen only their own language', () => {
    const english = ['We decided on it.', 'The car is in front of the house.', 'I picked the blue one, car and all.'];
    expect(triggered(english)).toEqual([]);
  });

  it('takes in what the user adds, to a language it knows and to one it does not', () => {
    const lines = [
      'Wij kozen voor SQLite omdat het zo klein is.',
      'Daarna kozen we ook de bundelaar, omdat hij snel is.',
    ];
    expect(triggered(lines)).toEqual([]);
    expect(triggered(lines, { nl: { decision: { primary: ['kozen'], boosters: ['omdat'] } } })).toEqual(['decision']);
    const shipped = ['We shipped it because it was ready.', 'They shipped too.'];
    expect(triggered(shipped)).toEqual([]);
    expect(triggered(shipped, { en: { decision: { primary: ['shipped'] } } })).toEqual(['decision']);
  });

  it('builds the other languages only for texts that show a sign of them', () => {
    expect(compileVocabulary('Plain English text.').get('decision')).toHaveLength(1);
    expect(compileVocabulary('Wir haben uns entschieden.').get('decision')).toHaveLength(6);
    expect(compileVocabulary('SQLite を採用').get('decision')).toHaveLength(6);
  });
});
