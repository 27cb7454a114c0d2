import { InvalidInput, parseProjectId, parseSessionId, type ProjectId, type SessionId } from '@beadloom/core/ids.ts'

export type Topic =
  | { kind: 'home' }
  | { kind: 'board'; project: ProjectId }
  | { kind: 'log'; session: SessionId }
  | { kind: 'unknown' }

export function parseTopic(text: string): Topic {
  const [, kind, id = ''] = /^([a-z]+):(.*)$/s.exec(text) ?? []
  try {
    if (text === 'home') return { kind: 'home' }
    if (kind === 'board') return { kind: 'board', project: parseProjectId(id) }
    if (kind === 'log') return { kind: 'log', session: parseSessionId(id) }
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
  }
  return { kind: 'unknown' }
}
