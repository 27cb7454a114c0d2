import { useEffect, useRef, useState } from 'react'
import { codeOf, coloursOf } from './coloured-patch.ts'
import type { FileShape } from './diff-rows.ts'
import type { PatchLine } from './patch-lines.ts'
import { ColourClient } from '../syntax/colour-client.ts'
import { languageOf } from '../syntax/language-of.ts'
import type { Runs } from '../syntax/runs.ts'
// oxlint-disable-next-line import/default -- the build's answer to the question, not the module's export
import workerUrl from '../syntax/syntax-worker.ts?worker&url'
import { startWorker } from '../../../ui/start-worker.ts'

/** The runs of a line; null before they arrive, or for good. */
export type Colours = (line: PatchLine) => Runs | null

const none: Colours = () => null

/** Colours of the open patches, as the worker delivers them: nothing waits for them before it is shown. */
export function useColours(shapes: readonly FileShape[]): Colours {
  const [colours, setColours] = useState<{ of: Colours }>({ of: none })
  const known = useRef(new WeakMap<PatchLine, Runs>())
  const asked = useRef(new WeakSet<readonly PatchLine[]>())
  const client = useRef<ColourClient | null>(null)
  useEffect(() => {
    for (const { file, open, patch } of shapes) {
      if (!open || patch.is !== 'here' || asked.current.has(patch.lines)) continue
      asked.current.add(patch.lines)
      const language = languageOf(file.path)
      const code = language === null ? null : codeOf(patch.lines)
      if (language === null || code === null) continue
      client.current ??= new ColourClient(() => startWorker(workerUrl))
      void client.current.ask(language, code.texts).then((said) => {
        if (said === null) return
        for (const [line, runs] of coloursOf(code, said)) known.current.set(line, runs)
        setColours({ of: (line) => known.current.get(line) ?? null })
      })
    }
  }, [shapes])
  useEffect(
    () => () => {
      client.current?.close()
      client.current = null
      asked.current = new WeakSet()
    },
    [],
  )
  return colours.of
}
