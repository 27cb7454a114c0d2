import { linesOf } from './lines.ts'

/** One `[submodule "…"]` of a `.gitmodules`; `line` is that of its head. */
export type ModuleSection = { line: number; name: string; path: string | null; url: string | null }

const MOST = 200
const LONGEST = 1000

/** The sections of the file, in order. Only the forms that people write are read; git's configuration has more. */
export function readGitmodules(text: string): ModuleSection[] {
  const sections: ModuleSection[] = []
  for (const [at, line] of linesOf(text).entries()) {
    if (/^\s*\[/.test(line)) {
      const [, name] = /^\s*\[submodule\s+"((?:[^"\\]|\\.){1,300})"\]/.exec(line) ?? []
      if (sections.length === MOST) return sections
      // Any other section ends the one before, too: what follows belongs to neither.
      sections.push({ line: at + 1, name: name === undefined ? '' : unescaped(name), path: null, url: null })
    }
    const [, key, value = ''] = /^\s*(path|url)\s*=\s*(\S.*)$/.exec(line) ?? []
    const last = sections.at(-1)
    if (last && key !== undefined && value.length <= LONGEST) last[key as 'path' | 'url'] = valueOf(value.trim())
  }
  return sections.filter(({ name }) => name !== '')
}

/** Without the quotes around it. */
const valueOf = (value: string): string => {
  const [, quoted] = /^"((?:[^"\\]|\\.)*)"$/.exec(value) ?? []
  return quoted === undefined ? value : unescaped(quoted)
}

const unescaped = (text: string): string => text.replace(/\\(.)/g, '$1')
