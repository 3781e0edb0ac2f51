import { fail, ok, type Result } from './result.ts';

/** Names that never mean a place on the public internet; every name below them is one too. */
const PRIVATE_NAMES: readonly string[] = [
  'localhost',
  'local',
  'localdomain',
  'internal',
  'intranet',
  'home.arpa',
];

/**
 * IPv4 that is not for everybody (IANA's special-purpose registry), and the one public address that clouds use for
 * their metadata. As `address/prefix`.
 */
const PRIVATE_IPV4 = [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24',
  '192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3',
]
  .flatMap((line) => line.split(' '))
  .map((range) => {
    const [address = '', prefix = ''] = range.split('/');
    const size = 2 ** (32 - Number(prefix));
    return { block: Math.floor(ipv4(address) / size), size };
  });

/**
 * A URL that a stranger wrote and that may be fetched for him: https, no credentials in it, and no host that is written
 * as an address or a name of something private, in whatever spelling (the URL parser undoes decimal, octal, hexadecimal,
 * percent-encoded and full-width ones). What a public name resolves to is not known here: that gap (DNS rebinding) is for
 * the network that the deployment runs in. Errors: text that says what is wrong.
 */
export function publicUrl(text: string): Result<URL, string> {
  const url = URL.parse(text);
  if (url === null) return fail('it is no URL');
  if (url.protocol !== 'https:') return fail('it does not begin with https:');
  if (url.username !== '' || url.password !== '') return fail('it has credentials in it');
  return isPublicHost(url.hostname) ? ok(url) : fail('its host is private');
}

/** A host as the URL parser spells it. */
function isPublicHost(host: string): boolean {
  if (host.startsWith('[')) return isPublicIpv6(host.slice(1, -1));
  const name = host.replace(/\.+$/, '');
  if (/^[\d.]+$/.test(name)) return isPublicIpv4(name);
  // A name without a dot means whatever the network around it says.
  return name.includes('.') && !PRIVATE_NAMES.some((suffix) => name.endsWith(`.${suffix}`));
}

function isPublicIpv4(address: string): boolean {
  const number = ipv4(address);
  return !PRIVATE_IPV4.some(({ block, size }) => Math.floor(number / size) === block);
}

function ipv4(address: string): number {
  return address.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}

/**
 * Only 2000::/3 is given out to the public, so that loopback, link-local, unique-local, multicast, IPv4-mapped,
 * IPv4-compatible and NAT64 addresses are all outside. Of it, what carries an IPv4 address (Teredo in 2001::/23, 6to4) or
 * is for documentation is not public either.
 */
function isPublicIpv6(address: string): boolean {
  const [head = ''] = address.split('::');
  const [first = 0, second = 0] =
    head === '' ? [] : head.split(':').map((group) => Number.parseInt(group, 16));
  if (first < 0x2000 || first > 0x3fff || first === 0x2002) return false;
  if (first === 0x2001 && (second < 0x200 || second === 0xdb8)) return false;
  return !(first === 0x3fff && second < 0x1000);
}
