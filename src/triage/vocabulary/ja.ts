// Japanese, a starter set. The script has no blanks between words, so these match anywhere in a line.

import type { Language } from './words.ts';

export const ja: Language = {
  decision: {
    primary: ['決めました', '決めた', '決定し', '選びました', '選んだ', '選択し', '採用し', 'ことにしました'],
    boosters: ['ため', 'ので', '理由', 'ではなく', '代わりに', 'よりも'],
  },
  runbook: {
    primary: ['エラー', '例外', '失敗し', 'クラッシュ', '障害', 'スタックトレース'],
    boosters: ['解決', '原因', '修正し', '直りました', '直った', '対処', '回避策'],
  },
  constraint: {
    primary: ['制限', '制約', 'できません', 'サポートされてい', '対応していな', '上限', '不可能'],
    boosters: ['判明', 'わかりました', '分かりました', 'と分か', '恒久', '仕様', 'プラットフォーム'],
  },
  tech_debt: {
    primary: ['技術的負債', '後回し', '先送り', '暫定', '応急', '後で対応', 'あとで対応', '後で直'],
    boosters: ['とりあえず', '一時的', '今のところ', '当面', 'リスク', 'コスト', 'ため', 'ので'],
  },
  preference: {
    primary: ['常に使', '必ず使', '今後は', 'これからは', '使わないで', '規約', '好み', '標準'],
    boosters: ['ルール', '合意', '統一', '慣習', '徹底', '方針', 'ワークフロー'],
  },
};
