import { expect, test } from 'vitest'
import { imagesOfDockerfile } from './dockerfile-text.ts'

test.each([
  [
    'stages',
    'FROM golang:1.24 AS build\nRUN go build\nFROM debian:12\nCOPY --from=build /app /app\nFROM build\n',
    ['golang:1.24', 'debian:12'],
  ],
  ['an image that is copied from', 'FROM scratch\nCOPY --from=team/other:1 / /\n', ['team/other:1']],
  ['a stage by its number', 'FROM a\nFROM b\nCOPY --from=0 / /\n', ['a', 'b']],
  ['a platform', 'FROM --platform=linux/amd64 node:22\n', ['node:22']],
  ['ARGs with values', 'ARG TAG=22\nARG IMAGE="node:${TAG}" OTHER=x\nFROM ${IMAGE}\n', ['node:22']],
  ['a value where none is given', 'ARG TAG\nFROM node:${TAG:-20}\n', ['node:20']],
  ['lines that go on', 'FROM \\\n  # a comment\n  node:22\nCOPY \\\n  --from=x / /\n', ['node:22', 'x']],
  [
    'lines that go on over empty ones',
    'FROM a\nCOPY \\\n\n  --from=x / /\nRUN y \\\n \nCOPY --from=z / /\n',
    ['a', 'x', 'z'],
  ],
  ['quoted flags', 'FROM a\nCOPY --fr"om=hid\\den" / /\n', ['a', 'hidden']],
  ['what follows for those who begin with it', 'FROM a\nONBUILD COPY --from=secret / /\n', ['a', 'secret']],
  ['mounts', 'FROM a\nRUN --mount=type=bind,from=secret,target=/x cp /x /y\n', ['a', 'secret']],
  ['what only looks like a line that goes on', 'FROM a\n# \\\nFROM b\nRUN <<E\nx \\\nE\nFROM c\n', ['a', 'b', 'c']],
  [
    'a name that becomes a stage only later',
    'FROM a\nCOPY --from=secret / /\nFROM b AS secret\n',
    ['a', 'secret', 'b'],
  ],
  [
    'a stage that is only in a script',
    "FROM a\nRUN <<'E' cat\nFROM scratch AS secret\nE\nCOPY --from=secret / /\n",
    ['a', 'secret'],
  ],
  ['a stage after a script', 'FROM a\nRUN <<E\nx\nE\nFROM b AS c\nCOPY --from=c / /\n', ['a', 'b']],
  ['a byte order mark', '\ufeffFROM a\n', ['a']],
  ['lower case', 'from a as B\nfrom b\ncopy --from=b / /\n', ['a']],
])('the images of a Dockerfile are found: %s', (_, text, images) => {
  expect(imagesOfDockerfile(text)).toEqual({ images, unclear: [], fetched: [] })
})

test('build arguments override the file', () => {
  expect(imagesOfDockerfile('ARG IMAGE=a\nFROM $IMAGE\n', { IMAGE: 'b' }).images).toEqual(['b'])
})

test.each([
  'ARG X\nFROM $X\n',
  'FROM ${X:+y}\n',
  'FROM "a"\n',
  'FROM a b c\n',
  'FROM a\n\u0085COPY --from=secret / /\n',
  'FROM a\nARG X=secret\nCOPY --from=$X / /\n',
  '# escape=`\nFROM a\nRUN x `\nFROM b\n',
  'ARG X=${Y%z}\nFROM $X\n',
  `FROM a\n${'RUN true\n'.repeat(20_001)}`,
])('an image that nobody can know before it is built is unclear', (text) => {
  expect(imagesOfDockerfile(text).unclear).toHaveLength(1)
})

test.each([
  ['ADD http://127.0.0.1:8080/x /x', 'http://127.0.0.1:8080/x'],
  ['add --chown=1 a HTTPS://example.org/x /x', 'HTTPS://example.org/x'],
  ['ADD ["a", "https://example.org/x", "/x"]', 'https://example.org/x'],
  ['ADD ht\\tp"://"example.org/x /x', 'http://example.org/x'],
  ['ADD \\\n\n  http://example.org/x /x', 'http://example.org/x'],
  ['ADD git@example.org:a/b.git /x', 'git@example.org:a/b.git'],
  ['ADD $FILE /x', '$FILE'],
  ['ADD htt${REST} /x', 'htt${REST}'],
  ['ADD ["\\u0068ttp\\u003a//x", "/x"]', 'ADD [u0068ttpu003a//x, /x]'],
  ['ONBUILD ADD https://example.org/x /x', 'https://example.org/x'],
])('anything that a builder itself would or may fetch is found: %s', (line, fetched) => {
  expect(imagesOfDockerfile(`FROM a\n${line}\n`).fetched).toEqual([fetched])
})

test.each([
  'ADD . /app',
  'ADD app-${VERSION}.tar.gz /app',
  'ADD --chown=$USER a $HOME/',
  'COPY $FILE /x',
  'RUN curl http://x',
])('files of the repository are not fetched: %s', (line) => {
  expect(imagesOfDockerfile(`FROM a\n${line}\n`).fetched).toEqual([])
})

test('a file with too many lines does not say which images it uses', () => {
  expect(imagesOfDockerfile(`FROM a\n${'\n'.repeat(20_000)}`)).toEqual({
    images: [],
    unclear: ['more than 20000 lines'],
    fetched: [],
  })
  expect(imagesOfDockerfile(`FROM a\n${'\n'.repeat(19_000)}`)).toEqual({ images: ['a'], unclear: [], fetched: [] })
})

test('a long file of odd lines takes time in proportion to its length', () => {
  const lines = (many: number) => 'FROM --a --b --c --d '.repeat(many) + '\n' + 'ARG a=$b c=${d:-e} '.repeat(many)
  expect(imagesOfDockerfile(lines(50_000)).images).toEqual([])
})

test('names that double with each ARG are not built up: the line does not say which image it is', () => {
  const doubled = Array.from({ length: 200 }, (_, at) => `ARG A${at + 1}=$A${at}$A${at}\n`).join('')
  const repeated = `ARG A0=aaaaaaaaaa\n${'ARG A0=$A0$A0$A0$A0$A0$A0$A0$A0\n'.repeat(50)}`
  for (const text of [`ARG A0=aaaaaaaaaa\n${doubled}FROM $A200\n`, `${repeated}FROM $A0\n`])
    expect(imagesOfDockerfile(text)).toMatchObject({ images: [], unclear: [expect.stringMatching(/^FROM/)] })
})

test('a number beyond the existing stages may be the id of an image', () => {
  const text = 'FROM a\nFROM b\nCOPY --from=0 /x /\nCOPY --from=2 /x /\nCOPY --from=48151623421234567890 /x /\n'
  expect(imagesOfDockerfile(text).images).toEqual(['a', 'b', '2', '48151623421234567890'])
})

test('an ARG named like a property of every object means nothing, and escapes no bound', () => {
  const doubled = Array.from({ length: 16 }, (_, at) => `ARG a${at + 1}=$__proto__$a${at}$a${at}`)
  const text = ['ARG __proto__', 'ARG a0=x', ...doubled, 'FROM $a16', 'FROM $__proto__'].join('\n')
  expect(imagesOfDockerfile(text)).toMatchObject({ images: [], unclear: ['FROM $a16', 'FROM $__proto__'] })
})
