# Stands in for Homebrew: ruby homebrew.rb <formula> <folder of archives> <scratch>
require "digest"
require "fileutils"

FORMULA, ARCHIVES, SCRATCH = ARGV

class Place
  def initialize(folder)
    @folder = File.join(SCRATCH, "prefix", folder)
  end

  def install(what)
    FileUtils.mkdir_p(@folder)
    from, to = what.is_a?(Hash) ? what.first : [what, File.basename(what)]
    FileUtils.cp(from, File.join(@folder, to), preserve: true)
  end
end

class Formula
  INTEL = RUBY_PLATFORM.start_with?("x86_64")

  class << self
    attr_reader :address, :checksum

    def desc(_text) = nil
    def homepage(_address) = nil
    def version(_number) = nil
    def license(_name) = nil
    def on_macos = (yield if RUBY_PLATFORM.include?("darwin"))
    def on_linux = (yield if RUBY_PLATFORM.include?("linux"))
    def on_intel = (yield if INTEL)
    def on_arm = (yield unless INTEL)
    def url(address) = @address = address
    def sha256(checksum) = @checksum = checksum
    def test = nil
  end

  def bin = Place.new("bin")
  def man1 = Place.new("share/man/man1")
  def bash_completion = Place.new("etc/bash_completion.d")
  def zsh_completion = Place.new("share/zsh/site-functions")
  def fish_completion = Place.new("share/fish/vendor_completions.d")
end

load FORMULA
archive = File.join(ARCHIVES, File.basename(Cra.address))
abort "#{archive} has another checksum" unless Digest::SHA256.file(archive).hexdigest == Cra.checksum
system("tar", "-xzf", archive, "-C", SCRATCH, exception: true)
Dir.chdir(Dir.glob(File.join(SCRATCH, "cra-*")).first) { Cra.new.install }
