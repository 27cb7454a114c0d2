import { Suspense } from 'react'
import css from './late-markdown.module.css'
import { shown } from '../../ui/text/hostile-text.ts'
import { lazyPart } from '../../ui/lazy-part.ts'

const { Part, ahead } = lazyPart(async () => (await import('./markdown.tsx')).Markdown)

/** Characters to show until the reader is loaded. */
const SHORT = 4_000

/** Markdown whose reader, 45 kB, loads with the first text; until then the text shows as written. */
export const LateMarkdown = ({ text }: { text: string }) => (
  <Suspense fallback={<p className={css['plain']}>{shown(text.slice(0, SHORT))}</p>}>
    <Part text={text} />
  </Suspense>
)

/** Call it when a text is about to be shown. */
export const markdownAhead = ahead
