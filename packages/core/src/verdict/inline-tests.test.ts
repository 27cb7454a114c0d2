import { describe, expect, test } from 'vitest'
import { withFormerTests } from './inline-tests.ts'

const code = `//! A "crate".
pub fn brace() -> char { '{' }
pub fn name<'a>(text: &'a str) -> &'a str { text } /* } /* nested } */ */
pub const RAW: &str = r#"} " {"#;
`
const tests = (value: string) => `#[cfg(test)]
#[allow(unused)]
mod tests {
    use super::*;

    #[test]
    fn braces() { assert_eq!(brace(), ${value}); } // }
}
`

describe('a file of Rust', () => {
  test('has the former tests beside the present code', () => {
    const now = `${code.replace("{ '{' }", "{ '}' }")}${tests("'\\u{7d}'")}`
    const found = withFormerTests(now, `${code}${tests("'{'")}`)
    expect(found).toContain("pub fn brace() -> char { '}' }")
    expect(found).toContain("assert_eq!(brace(), '{')")
    expect(found).not.toContain('u{7d}')
  })

  test('has them where they moved, even between code', () => {
    const between = (value: string) => `${tests(value)}\n${code}`
    expect(withFormerTests(code, between("'{'"))).toContain("assert_eq!(brace(), '{')")
    expect(withFormerTests(between("'x'"), between("'{'"))).not.toContain("'x'")
  })

  test.each(['br"\\"', 'br#"a " b"#', 'cr"\\"', "b'\"'", 'number"a"'])(
    'may have a literal of any kind in its code: %s',
    (literal) => {
      const now = `const A: &[u8] = ${literal};\n${code}`
      expect(withFormerTests(`${now}${tests("'x'")}`, `${now}${tests("'{'")}`)).toContain("assert_eq!(brace(), '{')")
    },
  )

  test('is left alone if its tests are the same, or new', () => {
    expect(withFormerTests(`${code}// more\n${tests('1')}`, `${code}${tests('1')}`)).toBeNull()
    expect(withFormerTests(`${code}${tests('1')}`, code)).toBeNull()
  })

  test.each(['/* no end', '"no end', 'r##"no end"#', 'fn a() {', '}', "'\\u{1"])(
    'is left alone if nobody can tell its tests from its code: %s',
    (broken) => {
      expect(withFormerTests(`${tests('1')}${broken}`, `${code}${tests('2')}`)).toBeNull()
    },
  )

  test('is read in time that grows with it', () => {
    const steps = (text: string) => withFormerTests(text, `${code}${tests('2')}`)
    for (const part of ['#[cfg(test)]\n', '/*', "'", 'r#', '"\\', '{', 'r"'])
      expect(() => steps(part.repeat(100_000))).not.toThrow()
  })
})
