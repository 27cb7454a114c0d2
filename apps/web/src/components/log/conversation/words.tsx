import { stripAnsi } from '@beadloom/core/text/ansi.ts'
import { LateMarkdown, markdownAhead } from '../../markdown/late-markdown.tsx'

markdownAhead()

/** An agent's words, without control sequences for terminals. */
export const Words = ({ text }: { text: string }) => <LateMarkdown text={stripAnsi(text)} />
