import type { DigestTool, ToolReport, ToolScanner } from '../../digest-tool.ts'
import { FailureList } from '../../reading/failure-list.ts'
import { counted } from '../../../text/count-text.ts'

/*
 * The output of programs built with -fsanitize, and of Valgrind: the kind of the error, its place and, for memory,
 * where it was allocated and freed. Addresses, process numbers and the map of the memory tell nothing.
 */

/** "==19900==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000020 at pc …" */
const REPORT = /^(?:==\d{1,9}==)?(?:ERROR|WARNING): (\w{1,20}Sanitizer): (.{1,300})$/
const ADDRESSES =
  / (?:on (?:unknown )?address|at pc|bp|sp|pc|\(pc|T\d+\)?|0x[\da-f]+|\(pid=\d+\))(?=[ )]|$)| \(pid=\d+\)| \[0x[\da-f]+,0x[\da-f]+\)|(?: at)? 0x[\da-f]+| \(\S{1,300}\+0x[\da-f]+\)/g
const SUMMARY = /^SUMMARY: (\w{1,20}Sanitizer): (.{1,300})$/
const UNDEFINED = /^(\S[^:]{0,300}:\d{1,9}:\d{1,9}): runtime error: (.{1,500})$/
const LEAK = /^(?:Direct|Indirect) leak of \d.{0,200} allocated from:$/
/** "READ of size 4 at 0x602000000020 thread T0", "  Previous write of size 4 at 0x555555558054 by thread T1:" */
const ACCESS =
  /^ {0,4}((?:READ|WRITE) of size \d+|(?:Previous )?(?:[Aa]tomic )?(?:[Rr]ead|[Ww]rite) of size \d+|Mutex .{0,60}|Location is .{0,200})/
const REGION = /^(?:0x[\da-f]+ is|Address 0x[\da-f]+ is) (.{1,300})$/
const THEN = /^ {0,4}((?:previously )?allocated|freed|Uninitialized value was (?:created|stored)).{0,200}:?$/
const FRAME = /^ {2,6}#\d{1,4} (?:0x[\da-f]+ )?(?:in )?(.{1,500})$/
/** Frames of the C library, of the sanitizer's own functions, and of unknown files. */
const FOREIGN =
  /libsanitizer|\/sysdeps\/|\.\.\/csu\/|compiler-rt|__libc_start|^_start |^__interceptor|^operator new|\/include\/c\+\+\/|\(\/?\S*\.so|\.so[.\d]*\+0x|^(?:malloc|calloc|realloc|free|memcpy|memset|memmove|strlen|strcpy|strdup) \(|^<null>|^\(/
const VALGRIND = /^==\d{1,9}== {1,5}(\S.{0,300})$/
const VALGRIND_ERROR =
  /^(?:Invalid (?:read|write|free)|Conditional jump|Use of uninitialised|Syscall param|Mismatched free|Source and destination overlap|Process terminating with|Jump to the invalid|[\d,]+ (?:\([\d,]+ direct, [\d,]+ indirect\) )?bytes in [\d,]+ blocks are (?:definitely|indirectly|possibly) lost|Possible data race)/
const VALGRIND_FRAME = /^(?:at|by) 0x[\dA-F]+: (.{1,300})$/
const VALGRIND_SUM = /^ERROR SUMMARY: (\d{1,9}) errors? from (\d{1,9}) contexts?/
const FRAMES = 3

class SanitizerScanner implements ToolScanner {
  readonly #errors = new FailureList()
  #frames = 0
  #inReport = false
  #leaks = false
  /** "allocated": the next frame of the project is its place. */
  #then: string | null = null
  #sound = false

  line(text: string): void {
    const first = text.charCodeAt(0)
    if (first === 0x20) {
      if (this.#inReport) this.#indented(text)
    } else if (text.startsWith('==')) this.#marked(text)
    else if (text.includes('runtime error: ')) this.#undefined(text)
    else if (text.startsWith('SUMMARY: ')) this.#summary(text)
    else if (text.startsWith('WARNING: ') || text.startsWith('ERROR: ')) this.#report(text)
    else if (this.#inReport) this.#more(text)
  }

  end(): ToolReport | null {
    const failures = this.#errors.count
    if (failures === 0)
      return this.#sound ? { failures, summary: 'no memory errors', findings: [], collected: null } : null
    return {
      failures,
      summary: `${counted(failures, 'error')} at run time:`,
      findings: this.#errors.findings(),
      collected: null,
    }
  }

  #marked(text: string): void {
    if (text.startsWith('====')) return
    const valgrind = VALGRIND.exec(text)?.[1]
    if (valgrind !== undefined) this.#valgrind(valgrind)
    else if (text.endsWith('ABORTING') || /^==\d+==$/.test(text)) this.#close()
    else this.#report(text)
  }

  #report(text: string): void {
    const [, tool, said = ''] = REPORT.exec(text) ?? []
    if (tool === undefined) return
    this.#close()
    this.#inReport = true
    this.#leaks = said.startsWith('detected memory leaks')
    if (!this.#leaks) this.#begin(`${tool}: ${kindOf(said)}`)
  }

  #begin(title: string): void {
    this.#frames = 0
    this.#then = null
    this.#pending = { title, lines: [] }
  }

  #pending: { title: string; lines: string[] } | null = null

  #more(text: string): void {
    if (this.#leaks && LEAK.test(text)) {
      this.#flush()
      this.#begin(`LeakSanitizer: ${text.replace(/ allocated from:$/, '').replace(/ of .*/, (size) => size)}`)
    } else if (ACCESS.test(text)) this.#detail(withoutAddresses(ACCESS.exec(text)?.[1] ?? ''))
    else if (REGION.test(text)) this.#detail(withoutAddresses(REGION.exec(text)?.[1] ?? ''))
    else if (/^ {0,4}Thread T\d/.test(text)) this.#frames = FRAMES
    else {
      this.#then = THEN.exec(text)?.[1]?.replace(/^previously /, '') ?? this.#then
    }
  }

  #indented(text: string): void {
    const frame = FRAME.exec(text)?.[1]
    if (frame === undefined) {
      this.#more(text)
      if (ACCESS.test(text)) this.#frames = 0
      return
    }
    if (FOREIGN.test(frame)) return
    const place = placed(frame)
    if (this.#then !== null) {
      this.#detail(`${this.#then} in ${place}`)
      this.#then = null
      this.#frames = FRAMES
    } else if (this.#frames < FRAMES) {
      this.#frames += 1
      this.#detail(`in ${place}`)
    }
  }

  /** UndefinedBehaviorSanitizer has a line for each error, and stacks only if asked for. */
  #undefined(text: string): void {
    const [, place, said] = UNDEFINED.exec(text) ?? []
    if (place === undefined || place.includes('.go:')) return
    this.#close()
    this.#begin(`${place}: runtime error: ${said}`)
    this.#inReport = true
    this.#frames = 0
    this.#flush()
  }

  /** The kind and the place in one line; it is all that a report without an end has. */
  #summary(text: string): void {
    const [, tool, said = ''] = SUMMARY.exec(text) ?? []
    if (tool === undefined || tool === 'UndefinedBehaviorSanitizer') return this.#close()
    if (this.#leaks || /leaked in \d+ allocation/.test(said)) return this.#close(said)
    const title = `${tool}: ${withoutAddresses(said)}`
    if (this.#pending) this.#pending.title = title
    else this.#begin(title)
    this.#close()
  }

  #valgrind(text: string): void {
    const sum = VALGRIND_SUM.exec(text)
    if (sum) {
      this.#close()
      this.#sound ||= sum[1] === '0'
    } else if (VALGRIND_ERROR.test(text)) {
      this.#close()
      this.#begin(`Valgrind: ${text.replace(/ in loss record .*/, '')}`)
      this.#inReport = true
    } else if (this.#pending) {
      const frame = VALGRIND_FRAME.exec(text)?.[1]
      if (frame === undefined) {
        const region = REGION.exec(text)?.[1]
        if (region === undefined) return
        this.#detail(region)
        this.#then = / alloc'd$| free'd$/.exec(region) ? 'allocated' : null
        if (region.endsWith("free'd")) this.#then = 'freed'
      } else if (!/\(in \//.test(frame)) {
        if (this.#then !== null) this.#detail(`${this.#then} in ${frame}`)
        else if (this.#frames++ < FRAMES) this.#detail(`in ${frame}`)
        if (this.#then !== null) this.#frames = FRAMES
        this.#then = null
      }
    }
  }

  #detail(line: string): void {
    if (this.#pending) {
      if (this.#pending.lines.length < 8 && line !== '') this.#pending.lines.push(line)
    } else this.#errors.more(line)
  }

  #flush(): void {
    const pending = this.#pending
    this.#pending = null
    if (pending === null) return
    const own = pending.lines.find((line) => line.startsWith('in '))
    const title = own === undefined || /:\d+/.test(pending.title) ? pending.title : `${pending.title} ${own}`
    this.#errors.add(title, pending.lines)
  }

  /** @param total the summary of leaks, if none was listed */
  #close(total?: string): void {
    this.#flush()
    if (total !== undefined && this.#errors.count === 0) this.#errors.add(`LeakSanitizer: ${total}`)
    this.#errors.close()
    this.#inReport = this.#leaks = false
    this.#then = null
  }
}

/** "heap-buffer-overflow" of "heap-buffer-overflow on address 0x602000000020 at pc …". */
const kindOf = (said: string): string => withoutAddresses(said.replace(/ on (?:unknown )?address .*/, ''))

const withoutAddresses = (text: string): string => text.replace(ADDRESSES, '').replace(/ {2,}/g, ' ').trim()

/** "last src/list.c:4" without the position in the program. */
const placed = (frame: string): string => frame.replace(/ \(\S{1,300}\+0x[\da-f]+\)(?: \(BuildId: [\da-f]+\))?$/, '')

/** AddressSanitizer, LeakSanitizer, ThreadSanitizer, MemorySanitizer, UndefinedBehaviorSanitizer, Valgrind. */
export const sanitizers: DigestTool = {
  name: 'sanitizers',
  type: 'test',
  watches: true,
  command: /(?:^|[\s;&|/])valgrind(?=\s|$)/,
  signs: ['Sanitizer: ', ': runtime error: ', '== Memcheck, ', '== ERROR SUMMARY: '],
  scan: () => new SanitizerScanner(),
}
