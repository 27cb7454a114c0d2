import { Suspense } from 'react'
import css from './conversation.module.css'
import { stripAnsi } from '@beadloom/core/text/ansi.ts'
import { plain } from './plain.ts'
import { lazyPart } from '../../../ui/lazy-part.ts'

const markdown = lazyPart(async () => (await import('../../markdown/markdown.tsx')).Markdown)
markdown.ahead()

/** What an agent says: as Markdown, and until that is loaded as the text that it is. */
export const Words = ({ text }: { text: string }) => (
  <Suspense fallback={<p className={css['plain']}>{plain(text)}</p>}>
    <markdown.Part text={stripAnsi(text)} />
  </Suspense>
)
