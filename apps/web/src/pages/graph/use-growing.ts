import { startTransition, useEffect, useState } from 'react'

/** The part of `ids` drawn by now: it grows by `step` in each frame, in the order of `order`, and loses nothing. */
export function useGrowing(ids: readonly string[], order: readonly string[], step: number): readonly string[] {
  const [drawn, setDrawn] = useState<ReadonlySet<string>>(new Set())
  const now = ids.filter((id) => drawn.has(id))
  const next = order.filter((id) => !drawn.has(id)).slice(0, step)
  const isDone = next.length === 0
  useEffect(() => {
    if (isDone) return
    const frame = requestAnimationFrame(() => startTransition(() => setDrawn(new Set([...now, ...next]))))
    return () => cancelAnimationFrame(frame)
  })
  return now
}
