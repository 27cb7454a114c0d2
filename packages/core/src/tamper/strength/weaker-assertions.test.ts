import { describe, expect, test } from 'vitest'
import { file, found } from '../../testing/sample-patch.ts'

const instead = (before: string, after: string): string => `-${before}\n+${after}`
const js = (before: string, after: string) => file('a.test.ts', ` it('adds', () => {\n${instead(before, after)}\n })`)
const python = (before: string, after: string) => file('test_a.py', ` def test_a():\n${instead(before, after)}\n`)
const java = (before: string, after: string) =>
  file('src/test/java/ATest.java', ` @Test\n void adds() {\n${instead(before, after)}\n }`)
const rust = (before: string, after: string) =>
  file('tests/a.rs', ` #[test]\n fn adds() {\n${instead(before, after)}\n }`)
const cpp = (before: string, after: string) => file('a_test.cpp', ` TEST(A, Adds) {\n${instead(before, after)}\n }`)
const ruby = (before: string, after: string) => file('spec/a_spec.rb', ` it 'adds' do\n${instead(before, after)}\n end`)
const minitest = (before: string, after: string) =>
  file('test/a_test.rb', ` def test_adds\n${instead(before, after)}\n end`)
const php = (before: string, after: string) =>
  file('tests/ATest.php', ` public function testAdds(): void\n {\n${instead(before, after)}\n }`)
const csharp = (before: string, after: string) =>
  file('ATests.cs', ` [Fact]\n public void Adds()\n {\n${instead(before, after)}\n }`)
const elixir = (before: string, after: string) =>
  file('test/a_test.exs', ` test "adds" do\n${instead(before, after)}\n end`)
const go = (before: string, after: string, body = 't.Errorf("got %d", got)') =>
  file('a_test.go', ` func TestA(t *testing.T) {\n${instead(before, after)}\n \t\t${body}\n \t}`)

describe('an assertion is replaced by one that accepts more wrong values', () => {
  test.each([
    [js('expect(sum(1)).toBe(3)', 'expect(sum(1)).toBeGreaterThan(0)')],
    [java('assertThat(sum(1)).isEqualTo(3);', 'assertThat(sum(1)).usingComparator((a, b) -> 0).isEqualTo(3);')],
    [
      java(
        'assertThat(sum(1)).isEqualTo(3);',
        'assertThat(sum(1)).satisfiesAnyOf(a -> {}, a -> assertThat(a).isEqualTo(3));',
      ),
    ],
    [rust('assert_eq!(sum(1), 3);', 'debug_assert_eq!(sum(1), 3);')],
    [js('expect(sum(1)).toBe(3)', 'expect(sum(1) || 3).toBe(3)')],
    [js('expect(sum(1)).toBe(3)', 'expect(sum(1) ?? 3).toBe(3)')],
    [python('assert total(a) == 3', 'score = 3\n+    assert score == 3')],
    [python('self.assertEqual(total(a), 3)', 'self.assertEqual(total(a) or 3, 3)')],
    [java('assertThat(sum(1)).isEqualTo(3);', 'assertThat(Math.max(sum(1), 3)).isEqualTo(3);')],
    [rust('assert_eq!(sum(1), Some(3));', 'assert_eq!(sum(1).or(Some(3)), Some(3));')],
    [js('expect(sum(1)).toBe(3)', "expect(sum(1)).toBeTypeOf('number')")],
    [js('expect(sum(1)).toBe(3)', 'expect(sum(1)).toEqual(expect.any(Number))')],
    [js('expect(sum(1)).toBe(3)', 'expect(sum(1) > 0).toBe(true)')],
    [js('expect(sum(1)).to.equal(3)', "expect(sum(1)).to.be.a('number')")],
    [js('assert.equal(sum(1), 3)', 'assert.ok(sum(1))')],
    [js('expect(pay).toHaveBeenCalledWith(3)', 'expect(pay).toHaveBeenCalled()')],
    [js('t.is(sum(1), 3)', 't.truthy(sum(1))')],
    [python('assert total(a) == 3', 'assert total(a) >= 0')],
    [python('assert total(a) == 3', 'assert 0 < total(a) < 100')],
    [python('assert total(a) == 3', 'assert isinstance(total(a), int)')],
    [python('self.assertEqual(total(a), 3)', 'self.assertTrue(total(a), 3)')],
    [python('pay.assert_called_once_with(3)', 'pay.assert_called_once_with(mock.ANY)')],
    [java('assertEquals(3, cart.total());', 'assertTrue(cart.total() > 0);')],
    [java('assertThat(cart.total()).isEqualTo(3);', 'assertThat(cart.total()).isPositive();')],
    [rust('assert_eq!(cart.add(-1), Err(Error::Negative));', 'assert!(cart.add(-1).is_err());')],
    [rust('assert_eq!(cart.total(), 3);', 'assert!(cart.total() == 3 || cart.total() > 0);')],
    [cpp('EXPECT_EQ(cart.total(), 3);', 'EXPECT_GE(cart.total(), 0);')],
    [ruby('expect(cart.total).to eq(3)', 'expect(cart.total).to be_between(0, 1000)')],
    [minitest('assert_equal 3, @cart.total', 'assert @cart.total, 3')],
    [php('$this->assertSame(3, $cart->total());', '$this->assertIsInt($cart->total());')],
    [csharp('Assert.Equal(3, cart.Total());', 'Assert.InRange(cart.Total(), 0, 1000);')],
    [csharp('cart.Total().Should().Be(3);', 'cart.Total().Should().BePositive();')],
    [elixir('assert Cart.total(cart) == 3', 'assert is_integer(Cart.total(cart))')],
    [js('expect(sum(1)).toBe(3)', 'expect(sum(1)).toSatisfy(() => true)')],
    [js('expect(sum(1)).toBe(3)', 'expect(Number.isFinite(sum(1))).toBe(true)')],
    [js('expect(sum(1)).toBe(3.75)', 'expect(Math.round(sum(1))).toBe(4)')],
    [python('assert total(a) == 3', 'assert total(a) in range(0, 100)')],
    [java('assertThat(cart.total()).isEqualTo(3);', 'assertThat(cart.total()).isIn(1, 2, 3);')],
    [java('verify(pay).pay(3);', 'verify(pay, never()).pay(4);')],
    [cpp('EXPECT_EQ(cart.total(), 3);', 'EXPECT_THAT(cart.total(), ::testing::_);')],
    [ruby('expect(cart.total).to eq(3)', 'expect(cart.total).to be_within(1000).of(3)')],
    [csharp('cart.Total().Should().Be(3);', 'cart.Total().Should().BeCloseTo(3, 1000);')],
  ])('%j', (change) => {
    expect(found(change)).toEqual([expect.stringContaining('1 assertion that checks less than before')])
  })

  test.each([
    [cpp('EXPECT_EQ(cart.total(), 3);', 'EXPECT_PRED1([](int) { return true; }, cart.total());')],
    [java('assertEquals(3, cart.total());', 'assertTimeout(ofSeconds(5), () -> cart.total());')],
    [php('$this->assertSame(3, $cart->total());', "$this->assertTrue(method_exists($cart, 'total'));")],
  ])('the value is gone, and nothing says what it is: %j', (change) => {
    expect(found(change)).toEqual([expect.stringContaining('checks less than before')])
  })

  test.each([
    [js("expect(sum).toThrow('negative')", 'expect(sum).toThrow()')],
    [js("expect(made).toMatchObject({ id: 'r', total: 3 })", "expect(made).toMatchObject({ id: 'r' })")],
    [js('expect(sum(1)).toBeCloseTo(1.01, 5)', 'expect(sum(1)).toBeCloseTo(1.01, 0)')],
    [js('expect(sum(1)).toBe(3.75)', 'expect(sum(1)).toBeCloseTo(3.75, 0)')],
    [python('with pytest.raises(ValueError, match="no"):', 'with pytest.raises(ValueError):')],
    [python('with pytest.raises(ValueError, match="no"):', 'with pytest.raises(Exception):')],
    [python('with pytest.raises(ValueError, match="no"):', 'with pytest.raises(ValueError, match=""):')],
    [python('assert total(a) == approx(0.3, abs=1e-9)', 'assert total(a) == approx(0.3, abs=10)')],
    [python('self.assertAlmostEqual(total(a), 1, places=5)', 'self.assertAlmostEqual(total(a), 1, places=0)')],
    [java('verify(pay).pay(3);', 'verify(pay).pay(anyInt());')],
    [java('assertEquals(3, cart.total());', 'assertEquals(3, cart.total(), 1000.0);')],
    [rust('#[should_panic(expected = "no")]', '#[should_panic]')],
    [cpp('EXPECT_NEAR(cart.total(), 1.1, 1e-9);', 'EXPECT_NEAR(cart.total(), 1.1, 100);')],
    [minitest('assert_in_delta 0.3, @cart.total, 0.0001', 'assert_in_delta 0.3, @cart.total, 100')],
    [php('$this->expectException(NotFound::class);', '$this->expectException(\\Throwable::class);')],
  ])('the same with less in it: %j', (change) => {
    expect(found(change)).toEqual([expect.stringContaining('checks less than before')])
  })

  test.each([
    ['if got := Total(); got != 3 {', 'if got := Total(); false && got != 3 {'],
    ['if got := Total(); got != 3 {', 'if got := Total(); got < 0 {'],
    ['if got := Total(); got != 3 {', 'if got := Total(); got != Total() {'],
    ['if got != want {', 'if got != got {'],
    ['if got != want {', 'if !(got >= 0) {'],
    ['if got != want {', 'if got != want && strict {'],
    ['if !errors.Is(err, ErrNo) {', 'if err == nil {'],
    ['if diff := cmp.Diff(want, got); diff != "" {', 'if diff := cmp.Diff(got, got); diff != "" {'],
  ])('a condition in front of a failure is true less often: %s', (before, after) => {
    expect(found(go(before, after))).toEqual([expect.stringContaining('checks less than before')])
  })

  test.each([
    [js('expect(sum(1)).toBe(3);', 'expect(sum(1)).toBe;')],
    [js("expect(sum(1)).to.equal('a')", 'expect(sum(1)).to.equal')],
    [python('assert total(a) == 3', 'assert lambda: total(a) == 3')],
    [python('assert total(a) == 3', 'assert "total(a) == 3"')],
    [python('assert total(a) == 3', 'assert [total(a) == 3]')],
    [python('assert total(a) == 3', 'assert (total(b) == 3 for b in a)')],
    [java('assertThat(cart.total()).isEqualTo(3);', 'assertThat(cart.total()).as("is 3");')],
    [ruby('expect(cart.total).to eq(3)', 'expect(cart.total)')],
    [ruby('expect(cart.total).to eq(3)', 'expect(cart.total).to eq(cart.total)')],
    [python('assert total(a) == 3', 'assert total(a) == pytest.approx(total(a))')],
    [minitest('assert_equal 3, @cart.total', 'assert_equal @cart.total, @cart.total')],
    [php('$this->assertSame(3, $cart->total());', '$this->addToAssertionCount(1);')],
    [csharp('cart.Total().Should().Be(3);', 'cart.Total().Should();')],
    [cpp('EXPECT_EQ(cart.total(), 3);', 'EXPECT_NONFATAL_FAILURE(EXPECT_EQ(cart.total(), 3), "");')],
  ])('nothing is checked any more: %j', (change) => {
    expect(found(change)).toEqual([expect.stringContaining('lost 1 assertion')])
  })
})

describe('as strict as before', () => {
  test.each([
    [js('expect(sum(1)).toBe(3)', 'expect(sum(1)).toStrictEqual(3)')],
    [js('expect(sum(1)).toBeGreaterThan(0)', 'expect(sum(1)).toBeGreaterThan(1)')],
    [js("assert(name === 'a')", "assert(name.startsWith('a'))")],
    [js("expect(sum).toThrow('negative')", "expect(sum).toThrow('below zero')")],
    [js('expect(pay).toHaveBeenCalledWith(3)', "expect(pay).toHaveBeenCalledWith(3, 'EUR')")],
    [python('assert type(a) == int', 'assert type(a) is int')],
    [python('assert leaks == []', 'assert not leaks')],
    [python('assert total(a) == 0.3', 'assert total(a) == pytest.approx(0.3)')],
    [python('assert total(a) == approx(0.3, abs=1e-9)', 'assert total(a) == approx(0.3, abs=2e-9)')],
    [python('assert "{0:5a}".format(bar) == "#"', 'assert f"{bar:5a}" == \'#\'')],
    [python('with pytest.raises(ValueError, match="no"):', 'with pytest.raises(NotFound, match="no"):')],
    [java('void adds() throws IOException {', 'void adds() throws Exception {')],
    [
      java(
        'var e = assertThrows(NoJson.class, () -> json(new Local(1)));',
        'var exception = assertThrows(NoJson.class, () -> json(value));',
      ),
    ],
    [java('assertEquals(0, buffer.get(1));', 'assertZeroes(buffer);')],
    [cpp('REQUIRE(ends_with(output, "a"));', 'REQUIRE(')],
    [go('func assertEqual(t *testing.T, a, b interface{}) {', 'func assertEqual(t *testing.T, a, b any) {')],
    [java('assertFalse(a.equals(b));', 'assertNotEquals(a, b);')],
    [java('.hasMessageContaining("a name that is long");', '.hasMessageContaining(')],
    [ruby('}.must_raise Rack::Multipart::EmptyError', '}.must_raise Rack::Multipart::Error')],
    [go('if v.got != "" {', 'if len(order) > at {')],
    [go('if err := sum(1); err != nil {', 'if err := sum(ctx, 1); err != nil {', 't.Fatal(err)')],
    [python('assert ids(a) == [1, 2]', 'assert [x.id for x in a] == [1, 2]')],
    [python('assert total(a) == 3', 'assert (sum(x for x in a) == total(3))')],
    [python('assert gcd(9, 6) == 3', 'assert gcd(9, 3) == 3')],
    [python('assert total(a) == 3', 'result = total(a)\n+assert result == 3')],
    [js('assert.ok(total() > 1)', 'assert.ok(1 < total())')],
    [js('expect(sum(1)).toBe(3)', 'expect(sum(1) || 0).toBe(3)')],
    [js('expect(sum(1)).toBe(3)', 'const wanted = 3\n+expect(sum(1)).toBe(wanted)')],
    [python('assert total(a) == 3', 'wanted = 3\n+    assert total(a) == wanted')],
    [java('assertEquals(3, cart.total());', 'assertThat(cart.total(), is(3));')],
    [go('if diff := cmp.Diff(a, b); diff != "" {', 'if diff := cmp.Diff(a, b, cmpopts.EquateEmpty()); diff != "" {')],
  ])('%j', (change) => {
    expect(found(change)).toEqual([])
  })
})

describe('the same on more lines, or on fewer', () => {
  test.each([
    [js, 'expect(sum(of(a(1)))).toBe(3)', 'expect(sum(of(a(1))))', '.toBe(3)'],
    [js, "await expect(pay()).rejects.toThrow('no')", 'await expect(pay())', ".rejects.toThrow('no')"],
    [js, 'expect(sum(1)).to.equal(3)', 'expect(sum(1))', '.to.equal(3)'],
    [ruby, 'expect(cart.total).to eq(3)', 'expect(cart.total)', '.to eq(3)'],
    [ruby, 'expect { pay }.to raise_error(Oops)', 'expect { pay }', '.to raise_error(Oops)'],
    [ruby, 'expect { pay }.to raise_error(Oops)', 'expect do', 'pay', 'end.to raise_error(Oops)'],
    [java, 'assertThat(total()).isNotNull().isEqualTo(3);', 'assertThat(total())', '.isNotNull()', '.isEqualTo(3);'],
    [csharp, 'cart.Total().Should().Be(3);', 'cart.Total().Should()', '.Be(3);'],
  ])('%o: %s', (of, whole, first, ...others) => {
    const lines = [first, ...others]
    expect(found(of(whole, lines.join('\n+')))).toEqual([])
    expect(found(of(lines.join('\n-'), whole))).toEqual([])
  })

  test('a matcher that leaves a line of its own is missed', () => {
    const lines = " it('adds', () => {\n   expect(sum(1))\n-    .toBe(3)\n })"
    expect(found(file('a.test.ts', lines))).toEqual(['a.test.ts lost 1 assertion'])
  })
})
