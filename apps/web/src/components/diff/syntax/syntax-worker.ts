import { colour } from './colour.ts'
import type { Runs } from './runs.ts'

export type Asked = { id: number; language: string; texts: readonly string[] }
export type Coloured = { id: number; lines: readonly (readonly Runs[] | null)[] }

/** Says that it is ready; from now on each request gets one answer. */
postMessage(null)

onmessage = ({ data: { id, language, texts } }: MessageEvent<Asked>) => {
  const answer: Coloured = { id, lines: texts.map((text) => colour(language, text)) }
  postMessage(answer)
}
