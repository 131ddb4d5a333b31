// Spanish. The subject is in the verb, so that single words carry more than in English.

import type { CueTable } from '../cue-reader.ts';

export const es: CueTable = {
  classes: {
    ack: `gracias muchas sí si no vale perfecto genial bien muy hola buenos buenas días tardes noches adiós de acuerdo
      claro ok listo hecho continúa sigue adelante entendido nada por favor excelente`,
    filler: 'entonces pero y sí no bueno bien ahora también luego además',
    not: 'sin ningún ninguna sino',
  },
  cues: {
    decision4: `
      decidimos|decidí|decidido|decidieron; decisión; optamos|opté|optado por; elegimos|elegí|elegido
      a partir de ahora; de ahora en adelante; acordamos|acordado; a propósito; nos quedamos con; escogimos
    `,
    decision3: `
      vamos a usar|utilizar|mantener|seguir; usaremos|utilizaremos|mantendremos|seguiremos; prefiero|preferimos
      mantener la|el; siempre usar|usa|usamos; nunca usar|uses; quedamos en; descartamos
    `,
    decision2: 'en lugar de; en vez de; mejor',
    conclusion4: `
      resulta que; la causa; causa raíz; causa del problema; el|la motivo|razón era|es|fue
      no ayudó|sirvió|funcionó|cambió; sin éxito; ninguna diferencia; quizás|quizá; probablemente; tal vez; a lo mejor
      sospecho; se debía|debe a
    `,
    conclusion3: `
      en resumen; en conclusión; conclusión; por lo tanto; por tanto; así que
      esto|eso significa|confirma|demuestra|indica; es decir; confirmado; parece que; al parecer
      más rápido|lento|simple que; aprendí|aprendimos que; descubrí|descubrimos; en realidad; puede que
    `,
    question4: 'me pregunto; no sé si|cómo|por|cuándo|qué|quién; no está claro; duda; pregunta abierta; no entiendo',
    question3: `
      ^cómo|cuál|cuáles|cuándo|dónde|quién|qué|cuánto|cuántos; ^por qué
      ^puedes|podemos|puedo|quieres|debería|deberíamos|hay|es|tienes explicar|decir|que|un|una|alguna|algún|yo|usar|posible
      quieres que; quiere que; por qué
    `,
    problem3: `
      error; errores; problema; problemas; falla|fallan|falló|fallo|fallando
      no funciona|funcionan|responde|carga|arranca|puedo|puede|encuentra|aparece
      se cae|cayó|cierra|cuelga|rompe|bloquea; no se puede|pudo; roto|rota; demasiado lento|lenta|grande|tarde
      lento|lenta; bloqueado; perdimos|perdido; caído; incorrecto|incorrecta; falta una|un; desgraciadamente
      lamentablemente; por desgracia; fuga
    `,
    problem2: 'no; nunca; difícil; riesgo; advertencia; aviso',
    solution4: `
      solucionó|solucionado|solucioné|solucionamos; arreglé|arreglado|arregló|arreglamos
      resuelto|resolvió|resolví|resolvimos; la solución; corregido|corregí|corrigió; solución
    `,
    solution3: `
      añadí|añadido|agregué|agregado; reemplacé|reemplazado|cambié|cambiado; eliminé|eliminado; renombré|renombrado
      actualicé|actualizado; reinstalando|reiniciando|aumentando|añadiendo|usando|cambiando|actualizando|eliminando
      ahora funciona; ya funciona; al aumentar|cambiar|añadir|usar|actualizar|reiniciar; implementado|implementé
      basta con
    `,
    todo4: `
      falta|faltan añadir|agregar|por|implementar|actualizar|probar; queda|quedan por|pendiente|pendientes
      pendiente|pendientes; próximo|siguiente paso; próximos pasos; no olvides|olvidar; más adelante; recuérdame
      por hacer
    `,
    todo3: `
      tenemos|tengo|tiene|hay que; debemos|debería|deberíamos|debo; necesitamos|necesito; hace falta
      ^añade|agrega|cambia|corrige|elimina|crea|escribe|mueve|actualiza|haz|pon|revisa|implementa|renombra; por favor
      puedes añadir|cambiar|corregir|crear|escribir|hacer|actualizar; hay que
    `,
    context3: `
      nuestro|nuestra|nuestros|mi|mis equipo|proyecto|servidor|empresa|cliente|mujer|marido|jefe|oficina
      trabajo en|como; vivo en; somos; tenemos un|una|dos|tres|cuatro; contiene|contienen; se encuentra|encuentran
      consiste en; según la|el; se llama; está|están escrito|escrita|en
    `,
    hypothesis: 'quizás|quizá; probablemente; tal vez; a lo mejor; puede que; podría ser; sospecho; posiblemente',
    dead_end: `
      no ayudó|sirvió|funcionó|cambió; sin éxito; ninguna diferencia; sigue fallando|igual; tampoco; en vano
      sin efecto; callejón sin salida
    `,
    confirmed: 'resulta que; la causa era|fue|es; causa raíz; confirmado; comprobado; demuestra que; encontré',
    firm: 'definitivamente; siempre; nunca; seguro; claramente; sin duda',
    hedge: 'quizás|quizá; probablemente; tal vez; a lo mejor; creo|pienso que; parece; podría; posiblemente',
    narration: '^voy a; ^déjame; ^veamos; ^empecemos; ^ahora; ^primero voy; ^aquí tienes',
    chatter: '^gracias; ^muchas gracias; de nada; todas las pruebas; buena suerte',
  },
};
