import { messageOf } from '@beadloom/core/text/message-of.ts'
import { useCallback, useEffect, useRef, useState } from 'react'

export type Sending = {
  /** A request is on its way. */
  busy: boolean
  /** The name given to `send` for the request on its way; null: none, or it has no name. */
  doing: string | null
  /** The last error, in a sentence; null: none, or `onError` was told. */
  problem: string | null
  setProblem: (problem: string | null) => void
  /** Does the work, unless another is still being done. Takes a name if several buttons share this. */
  send: (work: () => Promise<unknown>, name?: string) => Promise<void>
}

/**
 * A button's or a form's request to the server: one at a time, and its error, which stays until the next try.
 * With `onError`, errors go there instead. `together`: more requests may start while one is on its way.
 */
export function useSending(onError?: (error: unknown) => void, together = false): Sending {
  const [busy, setBusy] = useState(false)
  const [doing, setDoing] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  // The second click of a double click may come before the first one is drawn.
  const onTheWay = useRef(0)
  const tell = useRef(onError)
  useEffect(() => {
    tell.current = onError
  })
  const send = useCallback(
    async (work: () => Promise<unknown>, name: string | null = null) => {
      if (onTheWay.current > 0 && !together) return
      onTheWay.current++
      setBusy(true)
      setDoing(name)
      setProblem(null)
      try {
        await work()
      } catch (error) {
        if (tell.current === undefined) setProblem(messageOf(error))
        else tell.current(error)
      } finally {
        onTheWay.current--
        if (onTheWay.current === 0) {
          setBusy(false)
          setDoing(null)
        }
      }
    },
    [together],
  )
  return { busy, doing, problem, setProblem, send }
}
