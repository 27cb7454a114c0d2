import type { ExecutionFlag } from '../records/execution.ts'

/** Flags for people: a flag with the same words in several attempts is shown once, with all of them. */
export function tellFlags(flags: readonly ExecutionFlag[]): Pick<ExecutionFlag, 'kind' | 'text'>[] {
  const told = new Map<string, { kind: ExecutionFlag['kind']; said: string; attempts: string[] }>()
  for (const { kind, text } of flags) {
    const [, attempt, said = text] = /^attempt (\d+)(?=[:,])(.*)$/s.exec(text) ?? []
    const key = `${kind} ${said}`
    const one = told.get(key) ?? { kind, said, attempts: [] }
    if (attempt !== undefined) one.attempts.push(attempt)
    told.set(key, one)
  }
  return [...told.values()].map(({ kind, said, attempts }) => ({ kind, text: `${attemptsText(attempts)}${said}` }))
}

function attemptsText(attempts: readonly string[]): string {
  if (attempts.length < 2) return attempts.map((one) => `attempt ${one}`).join('')
  return `attempts ${attempts.slice(0, -1).join(', ')} and ${attempts.at(-1)}`
}
