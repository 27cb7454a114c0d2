/** `unclear`: lines that may name an image, and do not say which before they are built. */
export type DockerfileImages = { images: string[]; unclear: string[] }

/** The escape character of Windows: with it, lines go on where these rules do not look. */
const OTHER_ESCAPE = /^[ \t]*#[ \t]*escape[ \t]*=[ \t]*[^\\\s]/im
/** White space that only some readers take for it, where it could hide the word that follows. */
const ODD_BEGINNING = /^[ \t]*(?:(?![\t\n\r])\p{Cc}|[\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff])/mu
const FROM = /^FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?\s*$/i
const NAMES_ARG = /^ARG\s+(.*)$/i
/** One script, by the plainest of its forms. */
const SCRIPT = /^(?:RUN|COPY|ADD)\s[^<]*<<-?(\w+)(?!.*<<)/i
/** No line is. */
const NEVER = '\n'
const MOST_LINES = 20_000

/**
 * The images of which a Dockerfile takes files: those that its stages begin with, and those that it copies from or mounts.
 * What is built has no other. It errs to the safe side: a line within a script that looks like one of these counts, too.
 *
 * @param args what the build is given for its ARGs
 */
export function imagesOfDockerfile(text: string, args: Readonly<Record<string, string>> = {}): DockerfileImages {
  const lines = logicalLines(text)
  const images = new Set<string>()
  const unclear = new Set<string>()
  if (OTHER_ESCAPE.test(text)) unclear.add('# escape=')
  if (ODD_BEGINNING.test(text.replace(/^\ufeff/, ''))) unclear.add('a line that begins with odd white space')
  if (lines.length > MOST_LINES) return { images: [], unclear: [`more than ${MOST_LINES} lines`] }
  const given = argumentsOf(lines, args)
  const stages = new Set<string>(['scratch'])
  // Only what comes before is a stage, and only where every builder sees one: some read what follows `<<` as a script.
  let scriptEnds: string | null = null
  for (const line of lines) {
    const isInScript: boolean = scriptEnds !== null
    if (line === scriptEnds) scriptEnds = null
    for (const name of sourcesIn(line)) {
      if (name.includes('$')) unclear.add(name)
      else if (name !== '' && !/^\d+$/.test(name) && !stages.has(name.toLowerCase())) images.add(name)
    }
    if (!isInScript && line.includes('<<')) scriptEnds = SCRIPT.exec(line)?.[1] ?? NEVER
    const [, reference, stage] = FROM.exec(line) ?? []
    if (reference === undefined) {
      if (/^FROM\b/i.test(line)) unclear.add(line)
      continue
    }
    const name = expanded(reference, given)
    if (name === null || name === '') unclear.add(line)
    else if (!stages.has(name.toLowerCase())) images.add(name)
    if (stage !== undefined && !isInScript) stages.add(stage.toLowerCase())
  }
  return { images: [...images], unclear: [...unclear] }
}

/** Instructions, and each line by itself: what goes on in the next one for us may be an instruction of its own for a builder. */
function logicalLines(text: string): string[] {
  const all = text.split(/\r?\n/).filter((line) => !/^\s*#/.test(line))
  const joined: string[] = []
  let open = ''
  for (const line of all) {
    const isOpen = /\\[ \t]*$/.test(line)
    open += isOpen ? line.replace(/\\[ \t]*$/, '') : line
    if (isOpen) continue
    joined.push(open)
    open = ''
  }
  const alone = all.filter((line) => /^\s*FROM\b/i.test(line) && !/\\[ \t]*$/.test(line))
  return [...joined, open, ...alone].map((line) => line.trim()).filter((line) => line !== '')
}

/** Of the ARGs before the first stage, which are all that a stage's name can use. */
function argumentsOf(lines: string[], args: Readonly<Record<string, string>>): Map<string, string> {
  const given = new Map<string, string>()
  for (const line of lines) {
    if (/^FROM\b/i.test(line)) break
    const [, rest] = NAMES_ARG.exec(line) ?? []
    for (const [, name = '', value] of (rest ?? '').matchAll(/(\w+)(?:=("[^"]*"|'[^']*'|\S*))?/g)) {
      const plain =
        args[name] ??
        (value === undefined ? undefined : (expanded(value.replace(/^(["'])(.*)\1$/, '$2'), given) ?? '$'))
      if (plain !== undefined) given.set(name, plain)
    }
  }
  return given
}

/** Null: it is written in a way that a builder may read otherwise. */
function expanded(word: string, given: ReadonlyMap<string, string>): string | null {
  const text = word.replace(
    /\$(?:(\w+)|\{(\w+)(?::-([^${}]*))?\})/g,
    (_, plain?: string, braced?: string, otherwise?: string) => {
      const value = given.get(plain ?? braced ?? '') ?? ''
      return value === '' ? (otherwise ?? '') : value
    },
  )
  return /[$"'\\`{}]/.test(text) ? null : text
}

/** What a line copies from or mounts. A builder takes quotes and backslashes out of its flags. */
function sourcesIn(line: string): string[] {
  const plain = line.replace(/["'\\`]/g, '').replace(/^(?:ONBUILD\s+)+/i, '')
  if (/^(?:COPY|ADD)\s/i.test(plain)) return [...plain.matchAll(/--from=(\S*)/gi)].map(([, name = '']) => name)
  if (!/^RUN\s/i.test(plain)) return []
  return [...plain.matchAll(/--mount=(\S*)/gi)].flatMap(([, options = '']) =>
    options.split(',').flatMap((option) => (/^from=/i.test(option) ? [option.slice('from='.length)] : [])),
  )
}
