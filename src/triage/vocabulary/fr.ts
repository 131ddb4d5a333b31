// French, a starter set. An apostrophe ends a word here, so `parce qu` also finds « parce qu'il ».

import type { Language } from './words.ts';

export const fr: Language = {
  decision: {
    primary: ['décidé', 'décidons', 'choisi', 'opté pour', 'retenu', 'sélectionné', 'tranché'],
    boosters: [
      'parce que',
      'parce qu',
      'car',
      'en raison de',
      'raison',
      'plutôt que',
      'plutôt qu',
      'au lieu de',
      'puisque',
    ],
  },
  runbook: {
    primary: ['erreur', 'échoué', 'échoue', 'échec', 'plantage', 'planté', 'plante'],
    boosters: ['corrigé', 'résolu', 'cause', 'contournement', 'la correction', 'réparé', 'venait de', 'provenait de'],
  },
  constraint: {
    primary: [
      'impossible de',
      'ne peut pas',
      'ne peuvent pas',
      'pas possible',
      'pas pris en charge',
      'non pris en charge',
      'pas prise en charge',
      'restreint',
      'limite de débit',
      "limite de l'API",
    ],
    boosters: ['découvert', "s'avère", 'constaté', 'définitivement', 'plateforme', 'plate-forme'],
  },
  tech_debt: {
    primary: [
      'dette technique',
      'reporté',
      'remis à plus tard',
      'à corriger plus tard',
      'solution provisoire',
      'solution temporaire',
      'bricolage',
      'rustine',
      'contournement',
    ],
    boosters: ["pour l'instant", 'pour le moment', 'temporaire', 'provisoire', 'parce que', 'car', 'risque', 'coût'],
  },
  preference: {
    primary: [
      'toujours utiliser',
      'utilise toujours',
      'utilisez toujours',
      'ne jamais utiliser',
      "n'utilise jamais",
      "n'utilisez jamais",
      'préfère',
      'préférons',
      'préférer',
      'désormais',
      'dorénavant',
      'à partir de maintenant',
    ],
    boosters: ["d'accord", 'convenu', 'règle', 'pratique', "à l'avenir", 'systématiquement', 'norme'],
  },
};
