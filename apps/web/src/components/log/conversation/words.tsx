import { stripAnsi } from '@beadloom/core/text/ansi.ts'
import { LateMarkdown, markdownAhead } from '../../markdown/late-markdown.tsx'

markdownAhead()

/** What an agent says, without what only a terminal understands. */
export const Words = ({ text }: { text: string }) => <LateMarkdown text={stripAnsi(text)} />
