import { lazy, Suspense } from 'react'
import css from './markdown.module.css'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { shown } from '../../ui/text/hostile-text.ts'

const Markdown = lazy(async () => ({ default: (await import('./markdown.tsx')).Markdown }))

/** Characters that are shown as text until the Markdown reader is loaded. */
const SHORT = 4_000

/** A stranger's Markdown, whose reader is loaded when the first is shown. `what` begins a sentence: "The description". */
export const LazyMarkdown = ({ text, what }: { text: string; what: string }) => (
  <ErrorBoundary what={what}>
    <Suspense fallback={<p className={`${css['text']} ${css['plain']}`}>{shown(text.slice(0, SHORT))}</p>}>
      <Markdown text={text} />
    </Suspense>
  </ErrorBoundary>
)
