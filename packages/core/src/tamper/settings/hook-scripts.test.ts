import { expect, test } from 'vitest'
import { file } from '../../testing/sample-patch.ts'
import { findTampering } from '../tamper.ts'

const found = (...files: ReturnType<typeof file>[]) =>
  findTampering({ files, paths: ['src/cart.ts', 'src/cart.test.ts'], collectedBefore: null, collectedAfter: null })

const manifest = (key: string, command: string) => file('package.json', `+    "${key}": "${command}",`)

test.each([
  [manifest('pretest', 'cp test/fake.ts src/cart.ts')],
  [manifest('pretest:unit', "sed -i 's/3/4/' src/cart.test.ts && echo")],
  [manifest('posttest', 'git checkout src/cart.ts')],
  [manifest('pretest', 'node prepare.js'), file('prepare.js', '+fs.writeFileSync("src/cart.test.ts", "")', 'A')],
  [manifest('pretest', 'node a/..//b.js'), file('b.js', '+fs.writeFileSync("src/cart.test.ts", "")', 'A')],
  [manifest('pretest', "node './b c.js'"), file('b c.js', '+fs.writeFileSync("src/cart.test.ts", "")', 'A')],
  [manifest('pretest', 'sh -c \\"node b.js\\"'), file('b.js', '+fs.writeFileSync("src/cart.test.ts", "")', 'A')],
])('a script before or after the tests writes the tested code: %j', (...files) => {
  expect(found(...files)).toContainEqual(
    expect.stringMatching(/^package\.json: the script "(?:pre|post)test.*" writes what is tested$/),
  )
})

test.each([
  [manifest('pretest', 'npm run lint && rm -rf coverage')],
  [manifest('prebuild', 'cp a.ts src/cart.ts')],
  [manifest('pretest', 'tsc -p .')],
  [manifest('pretest', 'node prepare.js'), file('prepare.js', '+fs.writeFileSync("dist/cart.js", "")', 'A')],
  [manifest('pretest', 'node max.js'), file('x.js', '+git checkout src/cart.ts', 'A')],
])('not %j', (...files) => {
  expect(found(...files)).toEqual([])
})

test('a file that scripts of very many folders start is not read for each of them', () => {
  const folders = Array.from({ length: 30 }, (_, depth) => 'a/'.repeat(depth))
  const start = (folder: string) => `+    "pretest": "node ${'a/'.repeat(29 - folder.length / 2)}b.js",`
  const manifests = folders.map((folder) => file(`${folder}package.json`, start(folder)))
  const writing = file(`${'a/'.repeat(29)}b.js`, '+cp fake.js dist/cart.js', 'A')
  expect(found(...manifests, writing)).toHaveLength(10)
})
