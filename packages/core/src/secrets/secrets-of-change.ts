import { isLockFile } from '../files/lock-files.ts'
import { addedBlocks, OVERLAP, type AddedBlock, type AddedLines } from './added-blocks.ts'
import type { FileToRead, FoundSecret, SecretsOfChange, WholeText } from './found-secret.ts'
import { KeywordIndex } from './keyword-index.ts'
import { entropy, isDigest, isName, isPlaceholder, isWholeKey } from './not-secret.ts'
import type { Allow, RuleText } from './rule.ts'
import { allowedAnyway, compile, finds, rules } from './rule-set.ts'
import { KEY_FILE } from './secret-words.ts'
import { isForShow, isKeyFile, isProse, isReadForSecrets, isVariableFile } from './secret-files.ts'

const MOST_FOUND = 100
/** The characters searched before and after a keyword, within its line. */
const BEFORE = 400
const BEHIND = 2_000
/** Rules that match over several lines. */
const OVER_LINES: Readonly<Record<string, { before: number; behind: number }>> = {
  'private-key': { before: 0, behind: 12_000 },
  'kubernetes-secret-yaml': { before: 800, behind: 800 },
  'curl-auth-header': { before: 0, behind: 1_000 },
  'curl-auth-user': { before: 0, behind: 1_000 },
}
const LEAST_ENTROPY = 2.5
const PIECE = 256 * 1024
/** Bytes of a program or a database: in such files, a word and the value beside it do not belong together. */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const NO_TEXT = /[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffd]/
const PRIVATE_KEY = 'private-key'
/** The beginning of rules that find a key by the word in front of it. */
const BESIDE = String.raw`(?i)[\w.-]{0,50}?`
/** Rules that find a key only by a name beside it, or by its place in a call: too weak for text for readers. */
const WEAK = new Set([
  'generic-api-key',
  'curl-auth-header',
  'curl-auth-user',
  'kubernetes-secret-yaml',
  'jwt',
  'jwt-base64',
])

/** Keywords and, by their places, the rules for each. */
type Keywords = { words: readonly string[]; rulesOf: readonly (readonly number[])[]; index: KeywordIndex }
let keywords: Keywords | null = null

/**
 * @param patches outputs of `git log --patch` and `git diff-tree --patch`, each by itself
 * @param texts texts that no patch shows: messages of commits, and files that git takes for binary
 */
export function secretsOfChange(patches: readonly string[], texts: readonly WholeText[] = []): SecretsOfChange {
  const found = new Map<string, FoundSecret>()
  const told = new Set<string>()
  const toRead = new Map<string, FileToRead>()
  const add = (one: FoundSecret) => {
    const key = `${one.commit} ${one.path} ${one.secret}`
    if (found.size <= MOST_FOUND && !found.has(key)) found.set(key, one)
  }
  const addOncePerFile = (one: FoundSecret | null) => {
    if (one === null) return
    const key = `${one.rule} ${one.commit} ${one.path}`
    if (!told.has(key)) add(one)
    told.add(key)
  }
  const search = (block: AddedLines) => {
    addOncePerFile(variableIn(block))
    for (const one of secretsIn(block)) add(one)
  }
  for (const text of patches)
    for (const block of addedBlocks(text, isReadForSecrets)) {
      if (block.is === 'name') for (const one of secretsInName(block)) add(one)
      const file = fileToRead(block)
      if (file !== null) toRead.set(`${file.commit} ${file.path}`, file)
      addOncePerFile(keyFile(block))
      if (block.is === 'lines') search(block)
      if (found.size > MOST_FOUND) break
    }
  for (const { commit, path, text } of texts)
    for (const part of pieces(text)) search({ is: 'lines', commit, path, ...part })
  return {
    found: [...found.values()].slice(0, MOST_FOUND),
    more: found.size > MOST_FOUND,
    toRead: [...toRead.values()],
  }
}

/** Lines of a key's body, without its head and end. */
const KEY_BODY = /^[ \t"'`+]{0,20}[A-Za-z0-9+/]{40,100}={0,2}(?:\\[nr]){0,2}["'`,+; \t\\]{0,10}$/m

/**
 * The file to read whole; null: the added lines are enough. A change of only a key's body adds neither its head nor its
 * end.
 */
function fileToRead(block: AddedBlock): FileToRead | null {
  if (block.is === 'name') return null
  const { commit, path, object, before } = block
  if (block.is === 'binary') return { commit, path, object, before }
  const isInside = object !== '' && before.length > 0 && !block.text.includes('-----BEGIN') && KEY_BODY.test(block.text)
  return isInside ? { commit, path, object, before, isText: true } : null
}

/**
 * A text in parts as long as the runs of a patch; a part ends with a line, and the next one begins with its last lines.
 */
function* pieces(text: string): Generator<{ line: number; text: string }> {
  let line = 1
  for (let from = 0; from < text.length;) {
    const end = nextLine(text, from + PIECE) + 1
    const part = text.slice(from, end)
    yield { line, text: part }
    const back = nextLine(text, end - OVERLAP) + 1
    const next = end < text.length && back > from && back < end ? back : end
    line += linesBefore(part, next - from)
    from = next
  }
}

/** The secrets in a text for people, which a forge or a tracker gets: a name beside a value does not count there. */
export function* secretsOfProse(text: string): Generator<string> {
  for (const part of pieces(text))
    for (const { secret } of secretsIn({ is: 'lines', commit: '', path: '', ...part })) yield secret
}

function* secretsInName({ commit, path, former }: { commit: string; path: string; former: string }) {
  const name: AddedLines = { is: 'lines', commit, path: '', line: 0, text: path }
  for (const one of secretsIn(name)) if (!former.includes(one.secret)) yield { ...one, path, line: 0 }
}

/** A file that is a key by its name; if git takes it for binary, only a new one. */
function keyFile(block: AddedBlock): FoundSecret | null {
  const { is, path, commit } = block
  if (is === 'name' || (is === 'binary' && block.before.length > 0) || !isKeyFile(path)) return null
  const secret = is === 'lines' ? block.text.slice(0, 4_000) : ''
  return { rule: KEY_FILE, path, line: 0, commit, secret, refused: true }
}

function variableIn({ commit, path, text }: AddedLines): FoundSecret | null {
  if (!isVariableFile(path)) return null
  const [secret] = text.split('\n', 2_000).flatMap((line) => valueIn(line) ?? [])
  return secret === undefined ? null : { rule: 'file of variables', path, line: 0, commit, secret, refused: true }
}

/** A line that gives a value to something secret. */
function valueIn(line: string): string | null {
  const [, name = '', raw = ''] = /^\s*(?:export\s+)?([A-Za-z_]\w{0,100})\s*=\s*(.{1,1000})/.exec(line) ?? []
  if (
    !/(?:KEY|SECRET|TOKEN|PASSW(?:OR)?D|PASS|PWD|CREDENTIALS?|AUTH|DSN)$/i.test(name) ||
    /PUBLIC|PUBLISHABLE/i.test(name)
  )
    return null
  const value = raw
    .replace(/\s+#.*$/, '')
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
  const isPlain = value.length < 12 || /^[a-z]+(?:[-_ ][a-z]+)*\d{0,4}$/i.test(value)
  return isPlain || isPlaceholder(value) || entropy(value) < 3 ? null : value
}

function* secretsIn(block: AddedLines): Generator<FoundSecret> {
  const { path, commit, text } = block
  const forShow = isForShow(path)
  const isLock = isLockFile(path.slice(path.lastIndexOf('/') + 1))
  for (const [rule, windows] of windowsOf(text)) {
    if (rule.path !== undefined && !finds(rule.path, path)) continue
    const isWeak = WEAK.has(rule.id)
    if (isWeak && (forShow || path === '' || isLock || isProse(path))) continue
    // Digests of packages occur beside every possible word.
    if (isLock && rule.regex.startsWith(BESIDE)) continue
    for (const [from, to] of windows) {
      const window = text.slice(from, to)
      if (isWeak && NO_TEXT.test(window)) continue
      const matcher = compile(rule.regex).matcher(window)
      while (matcher.find()) {
        const match = matcher.group() ?? ''
        const secret = secretOf(rule, matcher) ?? match
        const at = from + matcher.start()
        const line = lineAround(text, at)
        if (isAllowed(rule, { path, match, secret, line })) continue
        const refused = !(forShow && (rule.id === PRIVATE_KEY || isTestMode(secret)))
        yield {
          rule: rule.id,
          path,
          line: block.line + linesBefore(text, at + match.indexOf(secret)),
          commit,
          secret,
          refused,
        }
      }
    }
  }
}

type Groups = { groupCount: () => number; group: (group?: number) => string | null }

function secretOf({ group }: RuleText, matcher: Groups): string | null {
  if (group !== undefined) return matcher.group(group)
  for (let at = 1; at <= matcher.groupCount(); at++) {
    const part = matcher.group(at)
    if (part) return part
  }
  return null
}

/** Whether it is a test key, which moves no money and opens nothing. */
const isTestMode = (secret: string): boolean => /^(?:sk|rk|pk)_test_/.test(secret)

type Matched = { path: string; match: string; secret: string; line: string }

function isAllowed(rule: RuleText, matched: Matched): boolean {
  const { secret, line, match } = matched
  if (rule.id === PRIVATE_KEY) return !isWholeKey(match)
  if (rule.id !== 'kubernetes-secret-yaml' && entropy(secret) < (rule.entropy ?? LEAST_ENTROPY)) return true
  if (isPlaceholder(secret) || isDigest(secret, line) || (WEAK.has(rule.id) && isName(secret))) return true
  return [allowedAnyway, ...(rule.allow ?? [])].some((allow) => isCovered(allow, matched))
}

function isCovered(
  { target, all, paths, regexes, words: parts }: Allow,
  { path, match, secret, line }: Matched,
): boolean {
  const text = target === 'match' ? match : target === 'line' ? line : secret
  const small = secret.toLowerCase()
  const said = [
    ...(paths ? [paths.some((regex) => finds(regex, path))] : []),
    ...(regexes ? [regexes.some((regex) => finds(regex, text))] : []),
    ...(parts ? [parts.some((word) => small.includes(word))] : []),
  ]
  return all === true ? said.every(Boolean) : said.some(Boolean)
}

type Window = [from: number, to: number]

/** For each rule with a keyword in the text, the parts of the text around those keywords. */
function windowsOf(text: string): Map<RuleText, Window[]> {
  keywords ??= keywordsOfRules()
  const { words, rulesOf, index } = keywords
  const windows = new Map<number, Window[]>()
  let start = 0
  let newline = -1
  index.walk(
    text,
    (word, end) => {
      if (newline < end) newline = nextLine(text, end)
      for (const at of rulesOf[word]!) {
        const { id } = rules[at]!
        const over = OVER_LINES[id]
        const from = over
          ? Math.max(Math.min(start, end - words[word]!.length), end - over.before - BEFORE)
          : Math.max(start, end - BEFORE)
        const to = over ? end + over.behind : Math.min(newline, end + BEHIND)
        const known = windows.get(at)
        const last = known?.at(-1)
        if (last && from <= last[1]) last[1] = Math.max(last[1], to)
        else if (known) known.push([from, to])
        else windows.set(at, [[from, to]])
      }
    },
    (line) => void (start = line),
  )
  return new Map([...windows].toSorted(([one], [other]) => one - other).map(([at, parts]) => [rules[at]!, parts]))
}

function keywordsOfRules(): Keywords {
  const rulesOf = new Map<string, number[]>()
  for (const [at, rule] of rules.entries())
    for (const word of rule.keywords) rulesOf.set(word, [...(rulesOf.get(word) ?? []), at])
  const words = [...rulesOf.keys()]
  return { words, rulesOf: [...rulesOf.values()], index: new KeywordIndex(words) }
}

function nextLine(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : at
}

function lineAround(text: string, at: number): string {
  const part = text.slice(Math.max(0, at - BEFORE), at + BEHIND)
  const own = Math.min(at, BEFORE)
  return part.slice(part.lastIndexOf('\n', Math.max(0, own - 1)) + 1, nextLine(part, own))
}

function linesBefore(text: string, at: number): number {
  let count = 0
  for (let from = text.indexOf('\n'); from !== -1 && from < at; from = text.indexOf('\n', from + 1)) count += 1
  return count
}
