export function writeConversation(home: string, project: string): void;
