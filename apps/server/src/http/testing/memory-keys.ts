import type { KeptAnswer, RequestKeys } from '../../ports/store/request-keys.ts'

/** Answers in memory, without bounds. */
export function memoryKeys(): RequestKeys {
  const rows = new Map<string, { digest: string; made: string | null; answer: KeptAnswer | null }>()
  const idOf = ({ scope, key }: { scope: string; key: string }) => `${scope} ${key}`
  return {
    knownRequest: (request) => {
      const row = rows.get(idOf(request))
      if (!row) return { is: 'open', made: null }
      if (row.digest !== request.digest) return { is: 'other body' }
      return row.answer ? { is: 'answered', answer: row.answer } : { is: 'open', made: row.made }
    },
    makeOnce: (request, work, made) => {
      const result = work()
      const id = made(result)
      if (id !== null) rows.set(idOf(request), { digest: request.digest, made: id, answer: null })
      return result
    },
    answerRequest: (request, answer) => {
      rows.set(idOf(request), { digest: request.digest, made: null, answer })
    },
  }
}
