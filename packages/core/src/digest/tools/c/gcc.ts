import type { DigestTool, ToolReport, ToolScanner } from '../../digest-tool.ts'
import { FailureList } from '../../reading/failure-list.ts'
import { MakeFolder } from '../../reading/make-folder.ts'
import { counted } from '../../../text/count-text.ts'

/*
 * GCC and Clang print the same lines, so one scanner reads them for both. Lines that only Clang prints decide:
 * "2 errors generated." or "clang: error:".
 */

/** Others print "file:line:column: error:" too (mypy, rustc, swiftc): the file must be for one of these compilers. */
const SOURCE = /\.(?:c|cc|cp|cpp|cxx|c\+\+|h|hh|hpp|hxx|h\+\+|inc|inl|ipp|tcc|tpp|m|mm|s|sx|cu|y|l|i|ii|def)$/i
/** Headers of the C++ library have no extension: /usr/include/c++/12/vector. */
const BARE_HEADERS = '/include/'
const LOCATED = /^([^\s[][^:]*):(\d+):(?:(\d+):)? (?:fatal )?error: (.+)$/i
const WARNING = /^(\S[^:]*):\d+:\d+: warning: /
const DRIVER =
  /^(?:\S*[/-])?(?:cc1|cc1plus|cc1obj|gcc|g\+\+|cc|c\+\+|clang|clang\+\+|as|lto1|lto-wrapper)(?:-[\d.]+)?: (?:fatal )?error: .+$/
const LINKER = /^(?:\S*\/)?(?:ld|ld\.lld|ld\.gold|mold|ld64\.lld): (?:error: |cannot find |symbol\(s\) not found)/
const LINKER_SAYS = ['undefined reference to ', 'multiple definition of ', 'cannot find -l']
const LINK_FAILED = /^collect2: error: |^\S*clang\S*: error: linker command failed/
const GENERATED = /(?:^| )(\d{1,9}) errors? generated\.$/
const CLANG = /^(?:\d+ warnings?)?(?: and )?(?:\d+ errors?)? generated\.$|^\S*clang(?:\+\+)?(?:-\d+)?: error: /
/** The end of a list, no entry. */
const LIMIT = /too many errors emitted|^all warnings being treated as errors/
const NOTE_OR_NEXT = /^(?:\S[^:]*:\d+:|\S[^:]*: (?:In |At )|In file included from | +from )/
const CONTEXT_LINES = 3
/** "[nullPointer]", "[bugprone-branch-clone]": linters print the same form, with the name of a check. */
const CHECKED = / \[[a-zA-Z][\w.,-]{1,200}\]$/
/** GCC names the line that uses a template before the error, Clang after it. */
const REQUIRED = /^(\S[^:]*:\d+:\d+): {3}required from here$/
const REQUESTED = /^(\S[^:]*:\d+:\d+): note: in instantiation of .+ requested here$/
const LIBRARY = /^\/(?:usr|opt|nix|Library|Applications)\/|\/include\/c\+\+\/|(?:^|\/)\.\.\/lib\//

class CompilerScanner implements ToolScanner {
  readonly #clang: boolean
  readonly #errors = new FailureList()
  readonly #folder = new MakeFolder()
  #sawClang = false
  #seen = false
  #linkFailed: string | null = null
  #linkErrors = 0
  /** The place in the user's own code that the next error comes from. */
  #required: string | null = null
  /** The last error, as long as its place in the user's code may still follow. */
  #foreign: string | null = null
  /** Clang's total for each file; larger than the number of shown errors if it gave up. */
  #generated = 0

  constructor(isClang: boolean) {
    this.#clang = isClang
  }

  line(text: string): void {
    if (this.#errors.isOpen) this.#context(text)
    if (text.endsWith(' here')) this.#began(text)
    else if (text.endsWith("'")) this.#folder.line(text)
    if (!isMeant(text)) return
    if (CLANG.test(text)) {
      this.#sawClang = this.#seen = true
      this.#generated += Number(GENERATED.exec(text)?.[1] ?? 0)
    }
    if (LINK_FAILED.test(text)) {
      this.#linkFailed = text
      this.#errors.close()
      return
    }
    const located = LOCATED.exec(text)
    if (located) this.#located(located[1] ?? '', located[4] ?? '', text)
    else if (DRIVER.test(text)) this.#alone(text)
    else if (isLinkError(text)) this.#link(text)
    else if (SOURCE.test(WARNING.exec(text)?.[1] ?? '')) this.#seen = true
  }

  end(): ToolReport | null {
    // The linker's own line only follows from its complaints, but without them it is all there is.
    if (this.#linkFailed !== null && this.#linkErrors === 0) this.#errors.add(this.#linkFailed)
    if (!this.#seen && this.#errors.count === 0) return null
    if (this.#sawClang !== this.#clang) return null
    const failures = Math.max(this.#errors.count, this.#generated)
    const summary = failures === 0 ? 'compiled without errors' : `${counted(failures, 'build error')}:`
    return { failures, summary, findings: this.#errors.findings(), collected: null }
  }

  #located(file: string, message: string, text: string): void {
    if (LIMIT.test(message) || CHECKED.test(message) || !(SOURCE.test(file) || file.includes(BARE_HEADERS))) return
    const required = this.#required
    this.#required = this.#foreign = null
    const began = required === null ? [] : [`required from ${this.#folder.at(required)}`]
    if (!LIBRARY.test(file)) return this.#add(`${this.#folder.at(file)}${text.slice(file.length)}`, began)
    if (required !== null) return this.#add(moved(text, this.#folder.at(required)))
    this.#add(text)
    this.#foreign = text
  }

  /** The line of the user's own code that an error in a library's template comes from. */
  #began(text: string): void {
    const required = REQUIRED.exec(text)?.[1]
    if (required !== undefined) this.#required = LIBRARY.test(required) ? this.#required : required
    const requested = this.#foreign === null ? undefined : REQUESTED.exec(text)?.[1]
    if (requested === undefined || LIBRARY.test(requested) || this.#foreign === null) return
    this.#errors.rename(this.#foreign, moved(this.#foreign, this.#folder.at(requested)))
    this.#foreign = null
  }

  #link(text: string): void {
    this.#linkErrors += 1
    this.#alone(text.replace(/^\S*\bld(?:\.\w+)?: /, '').replace(/\/tmp\/cc\w{6}\.o:/g, ''))
  }

  /** Adds an error that has no lines of code below it. */
  #alone(text: string): void {
    this.#add(text)
    this.#errors.close()
  }

  #add(text: string, detail: readonly string[] = []): void {
    this.#seen = true
    this.#errors.add(text, detail)
  }

  #context(text: string): void {
    const ends = text === '' || NOTE_OR_NEXT.test(text) || this.#errors.openLines >= CONTEXT_LINES
    // Clang's source has no margin, so the first line at the margin may still be source.
    const source = /^\s/.test(text) || this.#errors.openLines === 0
    if (ends || !source || /generated\.$|^\S+: \*\*\* |^compilation terminated/.test(text)) this.#errors.close()
    else this.#errors.more(text)
  }
}

/** "src/a.cpp:9:12: error: no match for 'operator-' [in /usr/include/c++/12/bits/stl_algo.h:1938]" */
function moved(text: string, place: string): string {
  const [, file = '', line = '', , message = ''] = LOCATED.exec(text) ?? []
  return `${place}: error: ${message} [in ${file.replace(/^.*\/include\//, '')}:${line}]`
}

/** Rejects nearly every line of code and every caret. */
function isMeant(text: string): boolean {
  if (text.includes(': ')) return /error|undefined reference|multiple definition|cannot find -l|warning/i.test(text)
  return text.endsWith(' generated.')
}

/** If indented, another tool quotes it: rustc shows its linker's output. */
const isLinkError = (text: string): boolean =>
  !/^[\s=>|]/.test(text) && (LINKER_SAYS.some((words) => text.includes(words)) || LINKER.test(text))

const signs = [
  ': error: ',
  ': fatal error: ',
  // The assembler's line above its errors.
  ': Assembler messages:',
  'undefined reference to',
  'multiple definition of',
  'cannot find -l',
  ' generated.',
]

export const gcc: DigestTool = {
  name: 'gcc',
  type: 'build',
  command: /(?:^|[\s;&|/-])(?:gcc|g\+\+|cc|c\+\+)(?:-\d+)?(?=\s|$)/,
  signs: [...signs, ': warning: ', ']: Entering directory '],
  silent: true,
  scan: () => new CompilerScanner(false),
}

export const clang: DigestTool = {
  name: 'clang',
  type: 'build',
  command: /(?:^|[\s;&|/-])clang(?:\+\+)?(?:-\d+)?(?=\s|$)/,
  signs: [...signs, ']: Entering directory '],
  silent: true,
  scan: () => new CompilerScanner(true),
}
