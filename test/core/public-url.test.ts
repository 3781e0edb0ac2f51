import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { publicUrl } from '../../src/core/public-url.ts';

const PRIVATE_HOSTS: readonly (readonly [string, readonly string[]])[] = [
  ['loopback', ['127.0.0.1', '127.1', '127.0.0.1.', '127.255.255.254', '0.0.0.0', '0']],
  [
    'decimal, octal and hexadecimal',
    ['2130706433', '0177.0.0.1', '0x7f.0.0.1', '0x7f000001', '017700000001', '0x7F.1'],
  ],
  ['percent-encoded and full-width', ['%31%32%37.0.0.1', '１２７.0.0.1', '127。0。0。1', '①27.0.0.1']],
  ['private', ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '3232235521']],
  [
    'link-local and metadata',
    ['169.254.169.254', '169.254.0.1', '0xa9fea9fe', '2852039166', '168.63.129.16', '192.0.0.192'],
  ],
  ['carrier-grade NAT', ['100.64.0.1', '100.127.255.255', '100.100.100.200']],
  [
    'documentation and benchmarks',
    ['192.0.2.1', '198.51.100.7', '203.0.113.9', '198.18.0.1', '198.19.255.255', '192.88.99.1'],
  ],
  ['multicast and reserved', ['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255']],
  ['IPv6 loopback and nothing', ['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[0000::0001]']],
  [
    'IPv6 link-local, unique-local, site-local, multicast',
    ['[fe80::1]', '[febf::1]', '[fc00::1]', '[fd00:ec2::254]', '[fec0::1]', '[ff02::1]'],
  ],
  ['IPv4-mapped', ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:10.0.0.1]', '[::ffff:8.8.8.8]']],
  [
    'IPv4-compatible, NAT64, 6to4, Teredo',
    [
      '[::127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[64:ff9b:1::10.0.0.1]',
      '[2002:7f00:1::]',
      '[2001::1]',
      '[2001:0:7f00:1::]',
    ],
  ],
  [
    'IPv6 documentation and what is not given out',
    ['[2001:db8::1]', '[3fff::1]', '[4000::1]', '[100::1]', '[5f00::1]'],
  ],
  [
    'names of this machine and network',
    [
      'localhost',
      'localhost.',
      'LOCALHOST',
      'a.localhost',
      'a.b.localhost.',
      'ｌocalhost',
      'localhost.localdomain',
      'intranet',
      'metadata',
      'printer.local',
      'PRINTER.LOCAL..',
      'metadata.google.internal',
      'x.internal.',
      'router.home.arpa',
    ],
  ],
];

const PUBLIC_HOSTS = [
  'example.org hooks.example.org. localhost.example.org internal.example mylocal.example',
  'xn--bcher-kva.example 8.8.8.8 1.1.1.1 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0',
  '172.15.0.1 172.32.0.1 192.0.1.1 192.167.255.255 192.169.0.0 198.17.0.1 198.20.0.0',
  '223.255.255.255 168.63.129.17 [2606:4700:4700::1111] [2001:4860:4860::8888] [2001:200::1]',
  '[2a00::] [2003::1] [3fff:1000::1]',
].flatMap((line) => line.split(' '));

describe('a public URL', () => {
  it.each(PRIVATE_HOSTS)('has no host that is private: %s', (_, hosts) => {
    for (const host of hosts)
      for (const rest of ['', ':8443', '/hook?x=1', '#a'])
        expect([host, publicUrl(`https://${host}${rest}`)]).toEqual([
          host,
          { ok: false, error: expect.stringMatching(/private|no URL/) },
        ]);
  });

  it.each(PUBLIC_HOSTS)('may be on %s', (host) => {
    expect(publicUrl(`https://${host}:8443/hook?x=1`)).toMatchObject({ ok: true });
  });

  it.each([
    ['http://example.org/', 'it does not begin with https:'],
    ['ftp://example.org/', 'it does not begin with https:'],
    ['file:///etc/passwd', 'it does not begin with https:'],
    ['data:text/plain,x', 'it does not begin with https:'],
    ['https://me@example.org/', 'it has credentials in it'],
    ['https://me:secret@example.org/', 'it has credentials in it'],
    ['https://example.org@127.0.0.1/', 'it has credentials in it'],
    ['https://', 'it is no URL'],
    ['/hook', 'it is no URL'],
    ['', 'it is no URL'],
    ['https://[fe80::1%25eth0]/', 'it is no URL'],
    ['https://1.2.3.4.5/', 'it is no URL'],
    ['https://256.0.0.1/', 'it is no URL'],
  ])('is not %s', (url, error) => {
    expect(publicUrl(url)).toEqual({ ok: false, error });
  });

  it('is read as fetch reads it: backslashes, tabs and spaces hide nothing', () => {
    for (const url of [
      'https:\\\\127.0.0.1\\',
      ' https://127.0.0.1',
      'https://127.0.\t0.1',
      'https:127.0.0.1',
      'HTTPS:/127.0.0.1',
    ])
      expect(publicUrl(url)).toEqual({ ok: false, error: 'its host is private' });
  });

  it('refuses a private IPv4 address in every spelling', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const address = fc.oneof(
      fc.tuple(fc.constantFrom(0, 10, 127, 224, 239, 240, 255), octet, octet, octet),
      fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
      fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), octet, octet),
    );
    const radix = fc.constantFrom(8, 10, 16);
    const spell = (number: number, base: number) =>
      `${base === 8 && number > 0 ? '0' : base === 16 ? '0x' : ''}${number.toString(base)}`;
    fc.assert(
      fc.property(
        address,
        fc.integer({ min: 1, max: 4 }),
        fc.array(radix, { minLength: 4, maxLength: 4 }),
        fc.constantFrom('', '.'),
        (bytes, parts, bases, end) => {
          // The last part of a short spelling stands for all bytes that are left.
          const head = bytes.slice(0, parts - 1);
          const tail = bytes.slice(parts - 1).reduce((number, byte) => number * 256 + byte, 0);
          const host = [...head, tail].map((number, at) => spell(number, bases[at] ?? 10)).join('.');
          expect(publicUrl(`https://${host}${end}/`)).toEqual({ ok: false, error: 'its host is private' });
          const [a, b, c, d] = bytes;
          for (const prefix of ['::ffff:', '::', '64:ff9b::'])
            expect(publicUrl(`https://[${prefix}${a}.${b}.${c}.${d}]/`).ok).toBe(false);
        },
      ),
    );
  });
});
