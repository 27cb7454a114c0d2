import { describe, expect, test } from 'vitest'
import { findTampering } from './tamper.ts'
import type { ChangedFile } from './patch.ts'
import { file } from '../testing/sample-patch.ts'

/* Typical changes by agents that weaken tests: Go, Rust, Java, C#, Ruby, PHP, C++. */

const weak = (...files: ChangedFile[]) => findTampering({ files, collectedBefore: null, collectedAfter: null })

describe('refused, whatever else the change does', () => {
  test.each<[string, ChangedFile[]]>([
    [
      'Go: Skip at the head',
      [
        file(
          'store/store_test.go',
          ' func TestConcurrentWrites(t *testing.T) {\n+\tt.Skip("unstable")\n \ts := New()\n \tif got := s.Len(); got != 100 {',
        ),
      ],
    ],
    [
      'Go: the test function is renamed so that go test does not see it',
      [
        file(
          'store/store_test.go',
          '-func TestConcurrentWrites(t *testing.T) {\n+func concurrentWrites(t *testing.T) {\n \ts := New()\n \tif got := s.Len(); got != 100 {\n \t\tt.Fatalf("got %d", got)',
        ),
      ],
    ],
    [
      'Go: a failure is only logged',
      [
        file(
          'store/store_test.go',
          ' func TestConcurrentWrites(t *testing.T) {\n \ts := New()\n \tif got := s.Len(); got != 100 {\n-\t\tt.Fatalf("got %d", got)\n+\t\tt.Logf("got %d", got)\n \t}',
        ),
      ],
    ],
    [
      'Rust: #[ignore] in the tests of a module',
      [
        file(
          'src/lexer.rs',
          ' #[cfg(test)]\n mod tests {\n     #[test]\n+    #[ignore]\n     fn reads_escapes() {\n         assert_eq!(lex("\\\\n"), vec![Token::Newline]);',
        ),
      ],
    ],
    [
      'Rust: #[test] is taken away in the tests of a module',
      [
        file(
          'src/lexer.rs',
          ' #[cfg(test)]\n mod tests {\n-    #[test]\n     fn reads_escapes() {\n         assert_eq!(lex("\\\\n"), vec![Token::Newline]);',
        ),
      ],
    ],
    [
      'Rust: the test of a module is removed',
      [
        file(
          'src/lexer.rs',
          ' fn lex() {}\n \n #[cfg(test)]\n mod tests {\n     use super::*;\n-    #[test]\n-    fn reads_escapes() {\n-        assert_eq!(lex("\\\\n"), vec![Token::Newline]);\n-    }\n     #[test]\n     fn reads_words() {',
        ),
      ],
    ],
    [
      'Java: @Disabled',
      [
        file(
          'src/test/java/CartTest.java',
          '+    @Disabled("see JIRA-1")\n     @Test\n     void addsTax() {\n         assertEquals(119, new Cart(items).total());',
        ),
      ],
    ],
    [
      'Java: @Test is taken away',
      [
        file(
          'src/test/java/CartTest.java',
          '-    @Test\n     void addsTax() {\n         assertEquals(119, new Cart(items).total());\n     }',
        ),
      ],
    ],
    [
      'Java: a weaker assertion',
      [
        file(
          'src/test/java/CartTest.java',
          '     @Test\n     void addsTax() {\n-        assertEquals(119, new Cart(items).total());\n+        assertNotNull(new Cart(items).total());',
        ),
      ],
    ],
    [
      'C#: Skip',
      [
        file(
          'tests/CartTests.cs',
          '-    [Fact]\n+    [Fact(Skip = "later")]\n     public void AddsTax()\n     {\n         Assert.Equal(119, new Cart(items).Total());',
        ),
      ],
    ],
    [
      'C#: the failing test is removed',
      [
        file(
          'tests/CartTests.cs',
          '     [Fact]\n     public void IsEmpty() => Assert.Empty(new Cart().Items);\n-    [Fact]\n-    public void AddsTax()\n-    {\n-        Assert.Equal(119, new Cart(items).Total());\n-    }',
        ),
      ],
    ],
    [
      'Ruby: xit',
      [
        file(
          'spec/cart_spec.rb',
          " describe Cart do\n-  it 'adds tax' do\n+  xit 'adds tax' do\n     expect(Cart.new(items).total).to eq(119)\n   end",
        ),
      ],
    ],
    [
      'Ruby: the example is removed',
      [
        file(
          'spec/cart_spec.rb',
          " describe Cart do\n   it 'is empty' do\n     expect(Cart.new.items).to be_empty\n   end\n-  it 'adds tax' do\n-    expect(Cart.new(items).total).to eq(119)\n-  end\n end",
        ),
      ],
    ],
    [
      'PHP: markTestSkipped',
      [
        file(
          'tests/CartTest.php',
          ' public function testAddsTax(): void\n {\n+    $this->markTestSkipped();\n     $this->assertSame(119, (new Cart($items))->total());',
        ),
      ],
    ],
    [
      'PHP: the method is no test by its name',
      [
        file(
          'tests/CartTest.php',
          '-    public function testAddsTax(): void\n+    public function addsTaxOld(): void\n     {\n         $this->assertSame(119, (new Cart($items))->total());',
        ),
      ],
    ],
    ['a patch that was cut', [{ ...file('a.test.ts', '-  expect(a).toBe(1)\n+  expect(a).toBe(2)'), cut: true }]],
    [
      'C++: the expectation is removed',
      [
        file(
          'tests/cart_test.cc',
          ' TEST(Cart, AddsTax) {\n   Cart cart(items);\n-  EXPECT_EQ(cart.total(), 119);\n   EXPECT_FALSE(cart.empty());',
        ),
      ],
    ],
    ['Makefile: make test cannot fail', [file('Makefile', ' test:\n-\tgo test ./...\n+\tgo test ./... || true')]],
  ])('%s', (_, files) => {
    expect(weak(...files)).not.toEqual([])
  })
})
