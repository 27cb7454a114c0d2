import type { PatchLine } from './patch.ts'

/** How far around a line is looked for what it belongs to. */
export const NEAR = 60

/** A tab is as wide as four blanks: in one file there may be both. */
export const indentOf = ({ text }: PatchLine): number => (/^\s*/.exec(text)?.[0] ?? '').replaceAll('\t', '    ').length
