import { oneLine } from '../../text/one-line.ts'
import { packagesFor } from '../toolchains/debian-libraries.ts'

/** Messages of C builds about something missing; the first group names it. CMake's status lines do not count. */
const SAID: readonly RegExp[] = [
  /\bERROR: Dependency "([^"]{1,100})" not found/,
  /\bERROR: Dependency lookup for (\S{1,100}) with method/,
  /\bERROR: (?:Program '|C(?:\+\+)? (?:shared or static )?library ')([^']{1,100})' not found/,
  /^\s{1,8}Could NOT find (\w[\w.+-]{0,100})/,
  /\bconfiguration file provided by "([^"]{1,100})"/,
  /^\s{0,8}(?:configure: error: )?Package requirements \(([\w.+-]{1,100})/,
  /\bNo package '([^']{1,100})' found/,
  /^configure: error: "?([\w.+-]{1,60}) (?:library |headers? |was |is )?(?:not found|required|missing|needed)\b/i,
  // The build would fetch it from elsewhere, and cannot.
  /^Looking for a fallback subproject for the dependency (\S{1,100})/,
]

const LONGEST_LINE = 1000

/** Finds in the output of `setup` a library or a program that the build asks for. Null: there is none. */
export function missingLibrary(output: string): string | null {
  const lines = output.split('\n').map((line) => line.slice(0, LONGEST_LINE))
  for (const pattern of SAID)
    for (const line of lines) {
      const name = pattern.exec(line)?.[1]
      if (name !== undefined) return missingWords(oneLine(name))
    }
  return null
}

function missingWords(name: string): string {
  const debian = packagesFor(name).join(' ')
  const installs = debian === '' ? 'installs it' : `installs it (Debian: ${debian})`
  return `The build asks for ${name}, which Beadloom's image does not have: name a "dockerfile" that ${installs}, or an "image" that has it, in beadloom.json.`
}
