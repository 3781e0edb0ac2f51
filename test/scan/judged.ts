/**
 * What people said of every critical finding in real skills by others, the corpora of `test/scripts/corpora-scan.test.ts`.
 * Names, hashes and reasons only: no text of theirs is here. A finding's hash changes with the text that was found.
 */
export interface Judged {
  readonly hash: string;
  /** The skill's folder, below the corpora. */
  readonly skill: string;
  readonly rule: string;
  /** `legitimate-but-dangerous`: it does what the rule says, openly, and somebody should know before it runs. */
  readonly judgement: 'hostile' | 'legitimate-but-dangerous' | 'false-alarm';
  readonly reason: string;
}

export const JUDGED: readonly Judged[] = [
  {
    hash: 'sha256:58e1a8d31276f44163f7b0c931f7d6d39e1ea8e4ad90400bc9234390a29bedb3',
    skill: 'github--awesome-copilot/skills/aspire',
    rule: 'pipe-to-shell',
    judgement: 'legitimate-but-dangerous',
    reason: "The vendor's own installer over HTTPS, at its documented address; neither pinned nor checked.",
  },
  {
    hash: 'sha256:3d4abfc396b2a2171d8fe5726cad646345af8701fde9f131d39d4bbac0c8b48c',
    skill: 'github--awesome-copilot/skills/aspire',
    rule: 'pipe-to-shell',
    judgement: 'legitimate-but-dangerous',
    reason: "The vendor's own installer over HTTPS, at its documented address; neither pinned nor checked.",
  },
  {
    hash: 'sha256:09957cbe475b026312c82b9b4924591f4bba5c3dc169483857637ee145932ce9',
    skill: 'github--awesome-copilot/skills/azure-container-registry-cli',
    rule: 'pipe-to-shell',
    judgement: 'legitimate-but-dangerous',
    reason: "The vendor's installer, as root and behind a short link; a package source would do as well.",
  },
  {
    hash: 'sha256:e6e721ad747b910d21554e31239fe252839dad9a470b20738688c24e3b885985',
    skill: 'github--awesome-copilot/skills/azure-devops-cli',
    rule: 'pipe-to-shell',
    judgement: 'legitimate-but-dangerous',
    reason: "The vendor's installer, as root and behind a short link; a package source would do as well.",
  },
  {
    hash: 'sha256:a3b55192c5c30e951bead9b9e5ebe63e6375eb7c98e1ac63e6fab421881e2fc7',
    skill: 'openai--plugins/plugins/hugging-face/skills/cli',
    rule: 'pipe-to-shell',
    judgement: 'legitimate-but-dangerous',
    reason: "The vendor's own installer over HTTPS, at its documented address; neither pinned nor checked.",
  },
  {
    hash: 'sha256:f96b6a16051cde1af5a6057c39b46ef5960dd9ee587b5462a7d04caf1463f503',
    skill: 'trailofbits--skills/plugins/devcontainer-setup/skills/devcontainer-setup',
    rule: 'substitute-to-shell',
    judgement: 'legitimate-but-dangerous',
    reason: 'A release with a version, run while an image is built; its digest is not checked.',
  },
  {
    hash: 'sha256:e3f28f702cdf27dbe5f351d18f09f822449c32876db3362da7ee1929d4f7933a',
    skill: 'trailofbits--skills/plugins/modern-python/skills/modern-python',
    rule: 'pipe-to-shell',
    judgement: 'legitimate-but-dangerous',
    reason: 'The newest release of a known tool over HTTPS; neither pinned nor checked.',
  },
  {
    hash: 'sha256:ca22112565f06871c4370eefba3f1e47fb92cfd9a579db7628795956100492aa',
    skill: 'trailofbits--skills/plugins/second-opinion/skills/second-opinion',
    rule: 'no-permission-checks',
    judgement: 'legitimate-but-dangerous',
    reason:
      'Runs another agent with every question switched off, on text of a pull request that may be hostile.',
  },
  {
    hash: 'sha256:7e55d3d896cd75fce23de1efeac63f99f5255dff557b81bfd4cfd7ce083fdc76',
    skill: 'trailofbits--skills/plugins/second-opinion/skills/second-opinion',
    rule: 'no-permission-checks',
    judgement: 'legitimate-but-dangerous',
    reason:
      'Runs another agent with every question switched off, on text of a pull request that may be hostile.',
  },
  {
    hash: 'sha256:5898fe404a65b3398e7bb0831ae401fef184eb8797775b464e128c39dc46c41d',
    skill: 'trailofbits--skills/plugins/second-opinion/skills/second-opinion',
    rule: 'no-permission-checks',
    judgement: 'legitimate-but-dangerous',
    reason:
      'Runs another agent with every question switched off, on text of a pull request that may be hostile.',
  },
  {
    hash: 'sha256:22e4fb9cf88912abb5658e29399b69662dce2d17d49c238d978254690e63f6d2',
    skill: 'trailofbits--skills/plugins/second-opinion/skills/second-opinion',
    rule: 'no-permission-checks',
    judgement: 'legitimate-but-dangerous',
    reason:
      'Runs another agent with every question switched off, on text of a pull request that may be hostile.',
  },
  {
    hash: 'sha256:35cbdde949e156bcc688968a3909b1b048f0f06a992b69f1f18cc57eb025c25b',
    skill: 'trailofbits--skills/plugins/second-opinion/skills/second-opinion',
    rule: 'no-permission-checks',
    judgement: 'legitimate-but-dangerous',
    reason:
      'Runs another agent with every question switched off, on text of a pull request that may be hostile.',
  },
  {
    hash: 'sha256:1594d945eef91331f34e1643aca2e1c6280253d46ae1f8226d90a07ff4d3e899',
    skill: 'trailofbits--skills/plugins/trailmark/skills/vector-forge',
    rule: 'pipe-to-shell',
    judgement: 'legitimate-but-dangerous',
    reason: 'Adds a package source as root, by a script of the host; optional, in a reference.',
  },
  {
    hash: 'sha256:09d31f3d84903898ca101cb418dcc83c975b101d243c077bd801c269e1f7e8f0',
    skill: 'trailofbits--skills/plugins/trailmark/skills/vector-forge',
    rule: 'pipe-to-shell',
    judgement: 'legitimate-but-dangerous',
    reason: 'Adds a package source as root, by a script of the host; optional, in a reference.',
  },
  {
    hash: 'sha256:60c3fe1757f5901aa20fcda196429080ea221a3071a2e88f2dc9c022c565ffd8',
    skill: 'wshobson--agents/plugins/block-no-verify/skills/block-no-verify-hook',
    rule: 'writes-agent-settings',
    judgement: 'legitimate-but-dangerous',
    reason: 'Installs a hook, which is what it is for, and writes over settings that may be there.',
  },
  {
    hash: 'sha256:ae3533beefd5ce8e57332e54b4302d4f3c4dcd98b3e64f09fd4c74e906d70739',
    skill: 'wshobson--agents/plugins/block-no-verify/skills/block-no-verify-hook',
    rule: 'writes-agent-settings',
    judgement: 'legitimate-but-dangerous',
    reason: 'Installs a hook, which is what it is for, and writes over settings that may be there.',
  },
  {
    hash: 'sha256:08299d9691f5a26c2f9cd6624abfbdbe24f0bda2a1c24d8b4382588cd2f5ee78',
    skill: 'wshobson--agents/plugins/kubernetes-operations/skills/gitops-workflow',
    rule: 'pipe-to-shell',
    judgement: 'legitimate-but-dangerous',
    reason: "The project's own installer, as root; neither pinned nor checked.",
  },
];
