import { describe, expect, it } from 'vitest';
import { languageOf } from './language.ts';

describe('languageOf', () => {
  it.each([
    ['en', 'The build fails on the second machine'],
    ['en', 'fix typo'],
    ['en', ''],
    ['en', 'tried it, no luck'],
    ['de', 'Der Import bricht nach tausend Zeilen ab'],
    ['fr', "Il faut encore migrer les données de l'ancien serveur"],
    ['es', 'Vamos a usar otra base de datos para los pedidos'],
    ['ja', 'テストが失敗しています'],
    ['zh', '我们决定采用新的架构'],
    ['ja', 'APIのtimeoutを30秒に変更しました'],
    ['en', 'The label 保存 is too wide for the button on small screens'],
  ])('says %s for %j', (language, text) => {
    expect(languageOf(text)).toBe(language);
  });
});
