import { messageOf } from '@beadloom/core/text/message-of.ts'
import { useCallback, useEffect, useRef, useState } from 'react'

export type Sending = {
  /** It is on its way. */
  busy: boolean
  /** What of it is on its way, as `send` was told; null: nothing, or it has no name. */
  doing: string | null
  /** What was wrong with it last, in a sentence; null: nothing, or somebody has been told otherwise. */
  problem: string | null
  setProblem: (problem: string | null) => void
  /** Does it, unless something is being done already. With a name where several buttons share this. */
  send: (work: () => Promise<unknown>, name?: string) => Promise<void>
}

/**
 * What a button or a form asks of the server: once at a time, and with what went wrong, which stays until the next try.
 * With `onError` that is told there instead.
 */
export function useSending(onError?: (error: unknown) => void): Sending {
  const [busy, setBusy] = useState(false)
  const [doing, setDoing] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  // The second click of a double click may come before the first one is drawn.
  const isBusy = useRef(false)
  const tell = useRef(onError)
  useEffect(() => {
    tell.current = onError
  })
  const send = useCallback(async (work: () => Promise<unknown>, name: string | null = null) => {
    if (isBusy.current) return
    isBusy.current = true
    setBusy(true)
    setDoing(name)
    setProblem(null)
    try {
      await work()
    } catch (error) {
      if (tell.current === undefined) setProblem(messageOf(error))
      else tell.current(error)
    } finally {
      isBusy.current = false
      setBusy(false)
      setDoing(null)
    }
  }, [])
  return { busy, doing, problem, setProblem, send }
}
