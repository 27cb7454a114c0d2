import { useState } from 'react'

export type Sending = {
  /** It is on its way. */
  busy: boolean
  /** What was wrong with it last, in a sentence; null: nothing, or somebody has been told otherwise. */
  problem: string | null
  setProblem: (problem: string | null) => void
  /** Does it, unless it is being done already. */
  send: (work: () => Promise<unknown>) => Promise<void>
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * What a button or a form asks of the server: once at a time, and with what went wrong, which stays until the next try.
 * With `onError` that is told there instead.
 */
export function useSending(onError?: (error: unknown) => void): Sending {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const send = async (work: () => Promise<unknown>) => {
    if (busy) return
    setBusy(true)
    setProblem(null)
    try {
      await work()
    } catch (error) {
      if (onError === undefined) setProblem(messageOf(error))
      else onError(error)
    } finally {
      setBusy(false)
    }
  }
  return { busy, problem, setProblem, send }
}
