import { startTransition, useEffect, useState } from 'react'

/**
 * Those of `ids` that are drawn by now: `step` more with each frame, in the order of `order`, and those that are there
 * stay.
 */
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
