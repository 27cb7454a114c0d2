/**
 * `unclear`: lines that may name an image, and show which one only during a build. `fetched`: sources that `ADD` has,
 * or may have, the engine itself fetch. No limit of the build container's network applies to it, and it reaches
 * everything that the engine's machine reaches.
 */
export type DockerfileImages = { images: string[]; unclear: string[]; fetched: string[] }

/** The escape character of Windows: with it, lines continue in ways that these rules do not see. */
const OTHER_ESCAPE = /^[ \t]*#[ \t]*escape[ \t]*=[ \t]*[^\\\s]/im
/** White space for only some readers, which could hide the word that follows. */
const ODD_BEGINNING = /^[ \t]*(?:(?![\t\n\r])\p{Cc}|[\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff])/mu
const FROM = /^FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?\s*$/i
const NAMES_ARG = /^ARG\s+(.*)$/i
/** A single script, in its plainest form. */
const SCRIPT = /^(?:RUN|COPY|ADD)\s[^<]*<<-?(\w+)(?!\w|.*<<)/i
/** Equal to no line. */
const NEVER = '\n'
const MOST_LINES = 20_000
/** Addresses from which a builder fetches, however they are written. */
const REMOTE = /^(?:[a-z][a-z0-9+.-]*:\/\/|git@)/i
const REMOTE_BEGINNINGS = ['http://', 'https://', 'ftp://', 'git://', 'ssh://', 'git@']

/**
 * The images from which a Dockerfile takes files: those that its stages begin with, and those that it copies from or
 * mounts. The build has no others. In doubt a name counts: a line within a script that looks like one of these, too.
 *
 * @param args the build's values for its ARGs
 */
export function imagesOfDockerfile(text: string, args: Readonly<Record<string, string>> = {}): DockerfileImages {
  if (hasMoreLines(text)) return { images: [], unclear: [`more than ${MOST_LINES} lines`], fetched: [] }
  const lines = logicalLines(text)
  const images = new Set<string>()
  const unclear = new Set<string>()
  if (OTHER_ESCAPE.test(text)) unclear.add('# escape=')
  if (ODD_BEGINNING.test(text.replace(/^\ufeff/, ''))) unclear.add('a line that begins with odd white space')
  const given = argumentsOf(lines, args)
  const stages = new Set<string>(['scratch'])
  // Only earlier stages count, and only those that every builder sees: some read what follows `<<` as a script.
  let scriptEnds: string | null = null
  let begun = 0
  for (const line of lines) {
    const isInScript: boolean = scriptEnds !== null
    if (line === scriptEnds) scriptEnds = null
    for (const name of sourcesIn(line)) {
      if (name.includes('$')) unclear.add(name)
      else if (name !== '' && !isStage(name, begun) && !stages.has(name.toLowerCase())) images.add(name)
    }
    if (!isInScript && line.includes('<<')) scriptEnds = SCRIPT.exec(line)?.[1] ?? NEVER
    const [, reference, stage] = FROM.exec(line) ?? []
    if (reference === undefined) {
      if (/^FROM\b/i.test(line)) unclear.add(line)
      continue
    }
    if (!isInScript) begun += 1
    const name = expanded(reference, given)
    if (name === null || name === '') unclear.add(line)
    else if (!stages.has(name.toLowerCase())) images.add(name)
    if (stage !== undefined && !isInScript) stages.add(stage.toLowerCase())
  }
  return { images: [...images], unclear: [...unclear], fetched: [...new Set(lines.flatMap(fetchedIn))] }
}

/** The number of a stage. A number without a stage may begin an image's id, which Podman looks for. */
const isStage = (name: string, begun: number): boolean => /^\d{1,5}$/.test(name) && Number(name) < begun

/** Counts without making any line. */
function hasMoreLines(text: string): boolean {
  let count = 1
  for (let at = text.indexOf('\n'); at !== -1 && count <= MOST_LINES; at = text.indexOf('\n', at + 1)) count += 1
  return count > MOST_LINES
}

/**
 * Instructions, and also each line by itself: a builder may take what we read as a continuation for an instruction of
 * its own. The same holds after an empty line, over which some builders read on.
 */
function logicalLines(text: string): string[] {
  const all = text.split(/\r?\n/).filter((line) => !/^\s*#/.test(line))
  const alone = all.filter((line) => /^\s*FROM\b/i.test(line) && !/\\[ \t]*$/.test(line))
  const readOn = joined(all.filter((line) => line.trim() !== ''))
  const ended = joined(all)
  const isOne = readOn.length === ended.length && readOn.every((line, at) => line === ended[at])
  return [...readOn, ...(isOne ? [] : ended), ...alone.map((line) => line.trim())]
}

/** Each line joined with its continuations; empty lines are left out. */
function joined(lines: readonly string[]): string[] {
  const whole: string[] = []
  let open = ''
  for (const line of lines) {
    const isOpen = /\\[ \t]*$/.test(line)
    open += isOpen ? line.replace(/\\[ \t]*$/, '') : line
    if (isOpen) continue
    whole.push(open)
    open = ''
  }
  return [...whole, open].map((line) => line.trim()).filter((line) => line !== '')
}

/** The values of the ARGs before the first stage; the name of a stage can use no others. */
function argumentsOf(lines: string[], args: Readonly<Record<string, string>>): Map<string, string> {
  const given = new Map<string, string>()
  for (const line of lines) {
    if (/^FROM\b/i.test(line)) break
    const [, rest] = NAMES_ARG.exec(line) ?? []
    for (const [, name = '', value] of (rest ?? '').matchAll(/(\w+)(?:=("[^"]*"|'[^']*'|\S*))?/g)) {
      const plain =
        (Object.hasOwn(args, name) ? args[name] : undefined) ??
        (value === undefined ? undefined : (expanded(value.replace(/^(["'])(.*)\1$/, '$2'), given) ?? '$'))
      if (plain !== undefined) given.set(name, plain)
    }
  }
  return given
}

/** No image's name is as long. ARGs that are made of others can each double the length of the last one. */
const MOST_CHARACTERS = 1000

/** Null: a builder may read it otherwise, or it expands to too much. */
function expanded(word: string, given: ReadonlyMap<string, string>): string | null {
  let size = word.length
  const text = word.replace(
    /\$(?:(\w+)|\{(\w+)(?::-([^${}]*))?\})/g,
    (_, plain?: string, braced?: string, otherwise?: string) => {
      const value = given.get(plain ?? braced ?? '') ?? ''
      size += value.length
      return value === '' || size > MOST_CHARACTERS ? (otherwise ?? '') : value
    },
  )
  return size > MOST_CHARACTERS || /[$"'\\`{}]/.test(text) ? null : text
}

/** Without quotes and backslashes, as a builder reads its flags and words. */
const plainOf = (line: string): string => line.replace(/["'\\`]/g, '').replace(/^(?:ONBUILD\s+)+/i, '')

/** The images that a line copies from or mounts. */
function sourcesIn(line: string): string[] {
  const plain = plainOf(line)
  if (/^(?:COPY|ADD)\s/i.test(plain)) return [...plain.matchAll(/--from=(\S*)/gi)].map(([, name = '']) => name)
  if (!/^RUN\s/i.test(plain)) return []
  return [...plain.matchAll(/--mount=(\S*)/gi)].flatMap(([, options = '']) =>
    options.split(',').flatMap((option) => (/^from=/i.test(option) ? [option.slice('from='.length)] : [])),
  )
}

function fetchedIn(line: string): string[] {
  const plain = plainOf(line)
  if (!/^ADD\s/i.test(plain)) return []
  // In JSON, `\u…` can be any letter.
  if (/\\u/i.test(line)) return [plain]
  const words = plain.split(/[\s,[\]]+/).filter((word) => word !== '')
  return words.slice(1, -1).filter((word) => REMOTE.test(word) || mayBeRemote(word)) // the last is the target
}

/** Whether a word could become an address once its variable is replaced. */
function mayBeRemote(word: string): boolean {
  const at = word.indexOf('$')
  return at !== -1 && REMOTE_BEGINNINGS.some((beginning) => beginning.startsWith(word.slice(0, at).toLowerCase()))
}
