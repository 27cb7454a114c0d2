import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonLine, readJson } from './json-text.ts'
import { readToml, tomlLine } from './toml-text.ts'
import { elementsOf } from './xml-text.ts'
import { readYaml } from './yaml-text.ts'

describe('JSON', () => {
  const text = `{
  // a comment with a "quote" and a , comma
  "a": "// no comment", /* two
  lines */ "b": { "c": [1, 2,], "a": "/* neither */", },
  "d": "\\"//",
}`

  test('is read with comments and trailing commas', () => {
    expect(readJson(text)).toEqual({ a: '// no comment', b: { c: [1, 2], a: '/* neither */' }, d: '"//' })
  })

  test('is located by the path of a key', () => {
    expect(['a', 'b', 'd'].map((key) => jsonLine(text, [key]))).toEqual([3, 4, 5])
    expect(jsonLine(text, ['b', 'a'])).toBe(4)
    expect(jsonLine(text, ['c'])).toBeNull()
    expect(jsonLine('[{"a":1}]', ['a'])).toBeNull()
  })

  test('that is plain is read as JSON.parse reads it, with any keys and depths', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(readJson(json)).toEqual(JSON.parse(json))
      }),
    )
  })

  test('gives the line of every key of its root', () => {
    const keys = fc.uniqueArray(fc.string({ maxLength: 20 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(keys, fc.json(), (names, value) => {
        const lines = names.map((name) => `${JSON.stringify(name)}: ${JSON.stringify(JSON.parse(value))}`)
        const whole = `{\n${lines.join(',\n')}\n}`
        expect(names.map((name) => jsonLine(whole, [name]))).toEqual(names.map((_, at) => at + 2))
      }),
    )
  })

  test.each([
    ['comments that never end', '/*'.repeat(400_000)],
    ['strings that never end', '"\\'.repeat(400_000)],
    ['brackets without an end', '[{"a":'.repeat(150_000)],
    ['commas', ','.repeat(900_000)],
  ])('made of %s is recognised as invalid at once', (_, hostile) => {
    expect(readJson(hostile)).toBeNull()
    expect(jsonLine(hostile, ['a', 'b'])).toBeNull()
  })
})

describe('TOML', () => {
  const text = `title = "x"
[project]
name = "y"
requires-python = ">=3.9" # newer
[tool.poetry]
dependencies = { python = "^3.10" }
[tool."pytest".ini_options]
addopts = "-q"
`

  test('is located by the path of a key, of a table, or of the inline table around it', () => {
    expect(readToml(text)).toMatchObject({ project: { name: 'y' } })
    expect(tomlLine(text, ['project', 'requires-python'])).toBe(4)
    expect(tomlLine(text, ['tool', 'poetry', 'dependencies', 'python'])).toBe(6)
    expect(tomlLine(text, ['tool', 'pytest', 'ini_options'])).toBe(7)
    expect(tomlLine(text, ['nothing'])).toBeNull()
  })

  test.each([
    ['open arrays', `a = ${'['.repeat(300_000)}`],
    ['deep tables', `a = ${'{b='.repeat(200_000)}`],
    ['a long line of white space', `${' '.repeat(900_000)}=`],
    ['one long key', `${'a.'.repeat(300_000)}a = 1`],
    ['no TOML', '<xml/>'],
  ])('made of %s is recognised as invalid at once', (_, hostile) => {
    expect(readToml(hostile)).toBeNull()
    expect(tomlLine(hostile, ['b'])).toBeNull()
  })
})

describe('YAML', () => {
  test('is located by paths of keys and positions', () => {
    const yaml = readYaml('jobs:\n  test:\n    steps:\n      - run: a\n      - run: |\n          b\n')
    expect(yaml?.line(['jobs', 'test', 'steps', 0, 'run'])).toBe(4)
    expect(yaml?.line(['jobs', 'test', 'steps', 1, 'run'])).toBe(5)
    expect(yaml?.line(['jobs', 'other'])).toBeNull()
  })

  test('has aliases and merged keys, which compose files use', () => {
    const yaml = readYaml('x: &base\n  image: redis:7\nservices:\n  a:\n    <<: *base\n  b: *base\n')
    expect(yaml?.value).toMatchObject({ services: { a: { image: 'redis:7' }, b: { image: 'redis:7' } } })
    expect(yaml?.line(['services', 'b', 'image'])).toBeNull()
  })

  const laughs = ['a: &a [x,x,x,x,x,x,x,x,x]']
  for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg', 'gh', 'hi'].map((pair) => [...pair]))
    laughs.push(`${to}: &${to} [${Array.from({ length: 9 }, () => `*${from}`).join(',')}]`)

  test.each([
    ['aliases that explode', laughs.join('\n')],
    ['aliases, thousands of them', 'a: &a [*a,*a]\n'.repeat(18_000)],
    ['brackets', '['.repeat(200_000)],
    ['lists in lists', `${'- '.repeat(100_000)}a`],
    ['too much of it', 'a: b\n'.repeat(100_000)],
    ['a tab where none may be', 'a:\n\t- b'],
    ['an alias of nothing', 'a: *b'],
  ])('made of %s is recognised as invalid at once', (_, hostile) => {
    expect(readYaml(hostile)).toBeNull()
  })

  test('may have stars in its scripts', () => {
    const script = Array.from({ length: 190 }, () => '  rm -f *.o').join('\n')
    expect(readYaml(`run: |\n${script}`)).not.toBeNull()
  })

  test('may be nested as deeply as its size allows', () => {
    expect(readYaml(Array.from({ length: 700 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'))).not.toBeNull()
  })

  test('may have thousands of keys, even twice, and those that every object has', () => {
    const keys = Array.from({ length: 10_000 }, (_, at) => `k${at}: ${at}`).join('\n')
    expect(readYaml(`${keys}\n__proto__: {polluted: true}\nconstructor: 1\nk0: last`)?.value).toMatchObject({
      k0: 'last',
    })
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

describe('XML', () => {
  test('gives the texts of elements with their lines, without comments', () => {
    const xml =
      '<p>\n<!-- <release>8</release>\n-->\n<release>17</release>\n<a.b x="1"> 2 </a.b>\n<release/><axb>3</axb></p>'
    expect(elementsOf(xml, 'release')).toEqual([{ text: '17', line: 4 }])
    expect(elementsOf(xml, 'a.b')).toEqual([{ text: '2', line: 5 }])
  })

  test.each([
    ['elements without an end', '<release>'.repeat(100_000)],
    ['comments without an end', '<!--'.repeat(200_000)],
    ['attributes without an end', `<release ${'a '.repeat(400_000)}`],
  ])('made of %s gives none', (_, hostile) => {
    expect(elementsOf(hostile, 'release')).toEqual([])
  })
})
