/*
 * A program that runs a script in several packages writes a line's package in front of it (`pnpm -r`, turbo, lerna,
 * yarn, nx, concurrently, docker compose), or a title above the lines of each package (npm, nx, GitHub's groups). Lines
 * of several packages come mixed, so each package's are read separately.
 */

/** Lines that belong together. */
export type Section = {
  /** The prefix or title; '' for lines of no package. Two tasks of one package have two. */
  key: string
  /** The package, as it is shown. */
  name: string
  /** True if a title was above them; otherwise each had a prefix, which was removed. */
  titled: boolean
  lines: readonly string[]
}

/** Packages that are told apart; the lines of others keep their prefixes. */
const MAX_PACKAGES = 60
/** Lines of a piece that are searched for prefixes without an announcement. */
const SAMPLE = 60
const SHARE = 0.7

/** "packages/cart test$ vitest run" */
const PNPM = /^(\S{1,200} [\w:.-]{1,60})\$ \S/
/** "@shop/cart:test: cache miss, executing 1a2b" */
const TURBO = /^(\S{1,200}: )cache (?:miss|hit|bypass)/
/** "@shop/cart: > @shop/cart@1.0.0 test", "[cart] $ vitest run", "[@shop/cart]: Process started" */
const SCRIPT = /^(\S.{0,100}?[:\]|] {1,4})(?:> \S{1,200}@\S{1,60} \S|\$ \S|Process (?:started|exited))/
const PACKAGE = /^> (\S{1,200})@\d/
const GUESS =
  /^(?:@[\w.-]{1,80}\/[\w.-]{1,80}(?::[\w:.-]{1,80})?: |\[@?[\w./-]{1,80}\]:? |[\w./-]{0,80}\/[\w.-]{1,80} [\w:.-]{1,40}: |[\w.-]{1,60} {1,20}\| )/
/** "@shop/cart:test: " cannot be anything else, even in a few lines. */
const CERTAIN = /^@[\w.-]+\/[\w.-]+:[\w:.-]+: $/
/** No program starts its own lines like "web-1  | " of docker compose or "packages/cart test: " of pnpm. */
const ALONE = /^[\w.-]+-\d+ +\| $|\/[\w.-]+ (?:test|build|lint|check|typecheck|verify|ci)[\w:.-]*: $/
/** Words in such places that name no package. */
const LEVEL = /^(?:info|warn|warning|error|debug|fatal|note|log|trace|notice|verbose|main|ok|pass|fail|\d+\/\d+)$/i

/** "> @shop/cart@1.0.0 test": the package and the script. */
const TITLE_NPM = /^> (@?[\w./-]{1,150})@\d[\w.+-]{0,40} ([\w:.-]{1,60})(?: \S{1,300})?$/
/** "> nx run cart:test", "> @shop/cart:test", "::group::@shop/cart:test" */
const TITLE_NX = /^(?:> (?:nx run )?|::group::)(@?[\w./-]{1,150}):([\w-]{1,60})(?: {1,4}\[.{1,60}\])?$/
/** A piece of output that announces prefixes, or has titles, contains one of these. */
const NOTICES = ['\n> ', 'Z > ', ': cache ', '::group::', '$ ', ': > ', '] > ', '| > ', 'Process started']

/** The first line of a piece has no newline before it. */
const OPENS = /^> /

/** Gives each line to its package, piece by piece. */
export class PackageLines {
  /** The prefixes of lines, and their packages. */
  readonly #prefixes = new Map<string, string>()
  #last: string | null = null
  #title: { key: string; name: string } | null = null
  #script: string | null = null

  /** Whether lines of the piece say where later ones belong. */
  notices(text: string): boolean {
    return this.#prefixes.size > 0 || NOTICES.some((notice) => text.includes(notice))
  }

  /**
   * The complete lines of a piece, in the order of their sections' first lines.
   *
   * @param text the printed piece, if nothing was removed from its lines
   */
  split(lines: readonly string[], text: string | null): Section[] {
    if (this.#prefixes.size === 0) this.#guess(lines)
    if (this.#title === null && text !== null && !this.notices(text) && !OPENS.test(text))
      return [{ key: '', name: '', titled: false, lines }]
    const sections = new Map<string, Section & { lines: string[] }>()
    for (const [at, line] of lines.entries()) {
      const prefix = this.#prefixOf(line)
      if (prefix !== null) {
        const name = this.#prefixes.get(prefix) ?? ''
        const own = line.slice(prefix.length)
        // pnpm ends each package's lines with one of these.
        if (own !== 'Failed' && own !== 'Done') keep(sections, { key: prefix, name, titled: false }, own)
        continue
      }
      if (line.charCodeAt(0) === 0x3e || line.charCodeAt(0) === 0x3a) this.#entitle(line, lines[at + 1] ?? '')
      keep(sections, { key: '', name: '', titled: false }, line)
      if (this.#title !== null) keep(sections, { ...this.#title, titled: true }, line)
    }
    return [...sections.values()]
  }

  #prefixOf(line: string): string | null {
    if (this.#last !== null && begins(line, this.#last)) return this.#last
    for (const prefix of this.#prefixes.keys()) if (begins(line, prefix)) return (this.#last = prefix)
    return this.#announced(line)
  }

  /** A prefix that appears for the first time in this line. */
  #announced(line: string): string | null {
    const mark = line.charCodeAt(line.indexOf(' ') - 1)
    if (line.includes('$ ')) {
      const pnpm = PNPM.exec(line)?.[1]
      if (pnpm !== undefined) this.#add(`${pnpm}: `, pnpm.slice(0, pnpm.lastIndexOf(' ')))
    }
    // ":", "]" or a blank before "|" end the first word of a prefix.
    if (mark !== 0x3a && mark !== 0x5d && !line.includes(' | ') && !line.includes('] ')) return null
    const prefix = line.includes(': cache ') ? TURBO.exec(line)?.[1] : SCRIPT.exec(line)?.[1]
    if (prefix === undefined) return null
    return this.#add(prefix, nameIn(prefix, [line])) ? prefix : null
  }

  #add(prefix: string, name: string): boolean {
    if (this.#prefixes.size >= MAX_PACKAGES || LEVEL.test(name) || name === '') return false
    this.#prefixes.set(prefix, name)
    return true
  }

  /** For an output without its beginning: nearly all lines have a prefix, and each prefix repeats. */
  #guess(lines: readonly string[]): void {
    const counts = new Map<string, number>()
    let seen = 0
    let found = 0
    for (const line of lines) {
      if (line === '') continue
      const prefix = GUESS.exec(`${line} `)?.[0]
      seen += 1
      if (prefix !== undefined && !LEVEL.test(nameOf(prefix))) {
        found += 1
        counts.set(prefix, (counts.get(prefix) ?? 0) + 1)
      }
      if (seen >= SAMPLE) break
    }
    const certain = found === seen && [...counts.keys()].every((prefix) => CERTAIN.test(prefix))
    if (found === 0 || (!certain && (found < 5 || found < seen * SHARE || counts.size > found / 3))) return
    // Many programs begin all of their lines with one name.
    if (counts.size < 2 && [...counts.keys()].some((prefix) => !prefix.startsWith('@') && !ALONE.test(prefix))) return
    for (const prefix of counts.keys()) this.#add(prefix, nameIn(prefix, lines))
  }

  /**
   * A title counts only for the script of the first title: a script may call others of its own package, and a test may
   * run a package manager.
   */
  #entitle(line: string, next: string): void {
    const npm = TITLE_NPM.exec(line)
    const [, name = '', script = ''] = npm ?? TITLE_NX.exec(line) ?? []
    if (name === '' || (npm && !next.startsWith('> '))) return
    this.#script ??= script
    if (script === this.#script) this.#title = { key: line, name }
  }
}

/** Lines have lost blanks at their end, including those of a prefix without text. */
const begins = (line: string, prefix: string): boolean =>
  line.startsWith(prefix) || (line.length < prefix.length && prefix.trimEnd() === line)

function keep(
  sections: Map<string, Section & { lines: string[] }>,
  section: Omit<Section, 'lines'>,
  line: string,
): void {
  const known = sections.get(section.key)
  if (known) known.lines.push(line)
  else sections.set(section.key, { ...section, lines: [line] })
}

/** "@shop/cart" of "@shop/cart:test: " and "[@shop/cart]: ", "packages/cart" of "packages/cart test: ". */
function nameOf(prefix: string): string {
  const name = prefix.replace(/[\s:|]+$/, '').replace(/^\[(.*)\]$/, '$1')
  return name.replace(/:[\w:.-]+$/, '').replace(/ [\w:.-]+$/, '')
}

/** concurrently numbers commands without a name: then the package's own script names the package. */
function nameIn(prefix: string, lines: readonly string[]): string {
  const name = nameOf(prefix)
  if (!/^\d{1,4}$/.test(name)) return name
  const scripts = lines.flatMap((line) =>
    line.startsWith(prefix) ? [PACKAGE.exec(line.slice(prefix.length))?.[1]] : [],
  )
  return scripts.find((script) => script !== undefined) ?? name
}
