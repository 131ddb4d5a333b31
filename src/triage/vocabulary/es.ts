// Spanish, a starter set. « error » is English too and is left to it.

import type { Language } from './words.ts';

export const es: Language = {
  decision: {
    primary: [
      'decidido',
      'decidimos',
      'decidí',
      'elegido',
      'elegimos',
      'elegí',
      'escogimos',
      'optamos por',
      'optado por',
    ],
    boosters: ['porque', 'debido a', 'razón', 'motivo', 'en lugar de', 'en vez de', 'ya que', 'frente a'],
  },
  runbook: {
    primary: ['excepción', 'falló', 'fallo', 'fallado', 'falla', 'errores', 'se cae', 'se cayó'],
    boosters: ['solucionado', 'se solucionó', 'resuelto', 'causa', 'solución', 'arreglado', 'corregido', 'se arregla'],
  },
  constraint: {
    primary: [
      'limitación',
      'no se puede',
      'no puede',
      'no es posible',
      'no soporta',
      'no admite',
      'no es compatible',
      'restringido',
      'cuota',
      'límite de la API',
      'límite de peticiones',
    ],
    boosters: ['descubierto', 'descubrimos', 'resulta que', 'comprobado', 'permanentemente', 'plataforma'],
  },
  tech_debt: {
    primary: [
      'deuda técnica',
      'pospuesto',
      'aplazado',
      'parche',
      'chapuza',
      'solución temporal',
      'para más adelante',
      'lo arreglaremos',
    ],
    boosters: ['porque', 'por ahora', 'de momento', 'temporal', 'provisional', 'riesgo', 'coste', 'costo'],
  },
  preference: {
    primary: [
      'usar siempre',
      'usa siempre',
      'siempre usa',
      'siempre usar',
      'nunca usar',
      'nunca uses',
      'no uses nunca',
      'prefiero',
      'preferimos',
      'a partir de ahora',
      'de ahora en adelante',
      'convención',
      'estándar',
    ],
    boosters: ['acordado', 'de acuerdo', 'regla', 'en adelante', 'práctica', 'siempre', 'flujo de trabajo'],
  },
};
