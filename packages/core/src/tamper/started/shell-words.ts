import { bare } from './shell-lines.ts'
import type { Strength } from './units.ts'

/** Commands that set up, say or look, and builds: they decide nothing about the work. */
const HOUSEKEEPING =
  /^(?:\$\((?:RM|CC|CXX|LD|AR|MKDIR|INSTALL)\)|rm|rmdir|mkdir|mktemp|kill|pkill|docker|podman|cd|pushd|popd|cp|mv|ln|touch|find|git|wait|sleep|command|which|unset|export|declare|local|readonly|set|shift|source|\.|trap|echo|printf|cat|tee|tail|head|sed|awk|sort|wc|tr|cut|less|ls|stty|curl|wget|chmod|chown|ulimit|umask|apt|apt-get|sudo|pip3?|true|:|fi|done|esac|\}|\)|date|read|case|for|select|function|in|return|exit|break|continue|yes|xargs|install|cc|gcc|g\+\+|clang\+*|ld|ar|javac|cmake|meson|ninja|tar|unzip|npm (?:ci|i|install)|yarn install|pnpm (?:i|install)|bundle install|go (?:build|mod)|cargo build|python[\d.]* -m (?:pip|venv|compileall)|\w+\+?=\S*|;+)(?:\s|$)|^\w+\+?=/

const FAILING =
  /^(?:exit|return) (?!0$|["']?0["']?$)\S|^false$|^(?:\w+\.)?(?:die|fail|abort|bail)\w*(?:\s|$)|^kill -\S+ \$\$/
/** `fail=1`, `failures=$((failures + 1))`, `((fail++))`. */
const COUNTED =
  /^\(?\(?(?:let )?["']?(?:\w*_)?(?:fail|error|bad|status|rc|ret|code|result|wrong|missing|ok|pass)\w*(?:\+\+|\s?\+=\s?\d|=(?:[1-9]|\$\(\(|false\b|no\b))/i
const ASSERTING = /^(?:assert|refute|expect|check|verify|should|must|compare|ensure|test)(?:[_A-Z-]\w*)?\s\S/

const argumentsOf = (words: string): string[] =>
  words
    .split(' ')
    .slice(1)
    .filter((word) => !word.startsWith('-') && !/^\d?[<>]/.test(word))

/** A condition in brackets. It is none if no value in it can change. */
function conditionOf(words: string): Strength {
  const inner = words
    .replace(/^(?:\[{1,2}|test)\s/, '')
    .replace(/\s\]{1,2}.*$/, '')
    .replace(/^!\s/, '')
  const isOfFile = /^-[a-hkpr-uwxLNOSG]\s/.test(inner)
  if (!isOfFile && !/[$`]/.test(inner)) return 'none'
  const sides = /^(.+?)\s(={1,2}|-eq)\s(.+)$/.exec(inner)
  if (sides === null) return 'check'
  const [left, right] = [sides[1], sides[3]].map((side) => side?.replace(/^(["'])(.*)\1$/, '$2'))
  return left === right || /^\*$/.test(right ?? '') ? 'none' : 'exact'
}

/** How one command can fail, without the commands around it. */
export function strengthOf(command: string, own: ReadonlySet<string>): Strength {
  const words = bare(command)
  if (words === '') return 'none'
  if (FAILING.test(words)) return 'fails'
  if (COUNTED.test(words)) return 'fails'
  if (/^(?:\[{1,2}|test)\s/.test(words)) return conditionOf(words)
  const [program = ''] = words.split(' ', 1)
  if (own.has(program)) return 'check'
  if (/^(?:diff|cmp|colordiff|git diff --no-index)\s/.test(words)) {
    const sides = argumentsOf(words)
    return sides.length > 1 && sides.at(-1) === sides.at(-2) ? 'none' : 'exact'
  }
  if (/^(?:[ef]?grep|rg|ag)\s/.test(words)) return /\s-\w*x/.test(words) ? 'exact' : 'check'
  if (/^git diff\b.*(?:--exit-code|--quiet)/.test(words)) return 'check'
  if (HOUSEKEEPING.test(words)) return 'none'
  if (ASSERTING.test(words)) return 'check'
  // Its output is kept for a comparison, which counts itself.
  if (/[^2>]>\s?(?!\/dev\/null|&)\S/.test(words.replace(/(["']).*?\1/g, ''))) return 'none'
  return 'call'
}

const ORDER: readonly Strength[] = ['none', 'call', 'check', 'exact', 'fails']
export const strongest = (some: readonly Strength[]): Strength =>
  some.reduce((best, one) => (ORDER.indexOf(one) > ORDER.indexOf(best) ? one : best), 'none')
