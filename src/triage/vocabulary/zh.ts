// Chinese, a starter set in simplified script with the commonest traditional forms. Matches anywhere in a line.

import type { Language } from './words.ts';

export const zh: Language = {
  decision: {
    primary: ['决定', '决定用', '选择了', '选用', '选定', '采用', '決定', '選擇了', '採用'],
    boosters: ['因为', '由于', '原因', '理由', '而不是', '代替', '考虑到', '因為', '由於'],
  },
  runbook: {
    primary: ['错误', '报错', '异常', '失败', '崩溃', '故障', '錯誤', '失敗'],
    boosters: ['已解决', '解决了', '修复', '根本原因', '原因是', '解决方案', '解決', '修復'],
  },
  constraint: {
    primary: ['限制', '无法', '不支持', '不能', '配额', '限流', '上限', '無法', '不支援'],
    boosters: ['发现', '原来', '事实证明', '永久', '平台', '發現'],
  },
  tech_debt: {
    primary: ['技术债', '推迟', '暂缓', '以后再', '之后再处理', '临时方案', '权宜之计', '技術債'],
    boosters: ['因为', '暂时', '目前', '临时', '风险', '成本', '因為'],
  },
  preference: {
    primary: [
      '总是使用',
      '始终使用',
      '一律使用',
      '不要使用',
      '偏好',
      '更喜欢',
      '从现在起',
      '从现在开始',
      '以后都',
      '约定',
    ],
    boosters: ['同意', '规则', '一致', '统一', '惯例', '规范', '流程'],
  },
};
