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
 * With `onError` that is told there instead. `together`: more may be asked while something is on its way.
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
