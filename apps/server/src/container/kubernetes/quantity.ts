const factors: Readonly<Record<string, number>> = {
  '': 1,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 1024,
  Mi: 1024 ** 2,
  Gi: 1024 ** 3,
  Ti: 1024 ** 4,
}

/** Reads a number of Kubernetes: `1900m`, `6123456Ki`; 0 for anything else. */
export function quantityOf(text = '0'): number {
  const [, number = '0', unit = ''] = /^([\d.]+)([a-zA-Z]*)$/.exec(text) ?? []
  return Number(number) * (factors[unit] ?? 0)
}
