package security

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// validity is how long certificates of an Authority hold.
const validity = 365 * 24 * time.Hour

// An Authority makes certificates for the processes of one cluster. It is in memory only: who wants more certificates later makes a new
// one.
type Authority struct {
	certificate *x509.Certificate
	key         crypto.Signer
}

// NewAuthority is a new authority, which nobody trusts yet.
func NewAuthority() (*Authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template, err := certificateFor("flott cluster")
	if err != nil {
		return nil, err
	}
	template.IsCA, template.BasicConstraintsValid, template.KeyUsage = true, true, x509.KeyUsageCertSign
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	template, err = x509.ParseCertificate(der)
	return &Authority{template, key}, err
}

// Issue writes the files of a process into a folder: ca.pem, cert.pem and key.pem, which only its owner can read. hosts are the names
// and addresses by which others call the process.
func (a *Authority) Issue(dir string, hosts ...string) (Config, error) {
	c := Config{CA: filepath.Join(dir, "ca.pem"), Certificate: filepath.Join(dir, "cert.pem"), Key: filepath.Join(dir, "key.pem")}
	certificate, key, err := a.sign(hosts)
	if err != nil {
		return Config{}, err
	}
	for _, f := range []struct {
		name, kind string
		der        []byte
		mode       os.FileMode
	}{
		{c.CA, "CERTIFICATE", a.certificate.Raw, 0o644},
		{c.Certificate, "CERTIFICATE", certificate, 0o644},
		{c.Key, "PRIVATE KEY", key, 0o600},
	} {
		if err := os.WriteFile(f.name, pem.EncodeToMemory(&pem.Block{Type: f.kind, Bytes: f.der}), f.mode); err != nil {
			return Config{}, err
		}
	}
	return c, nil
}

// sign is a certificate and its key.
func (a *Authority) sign(hosts []string) (certificate, key []byte, err error) {
	own, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	template, err := certificateFor("flott process")
	if err != nil {
		return nil, nil, err
	}
	template.KeyUsage = x509.KeyUsageDigitalSignature
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	for _, h := range hosts {
		if ip := net.ParseIP(h); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, h)
		}
	}
	if certificate, err = x509.CreateCertificate(rand.Reader, template, a.certificate, own.Public(), a.key); err != nil {
		return nil, nil, err
	}
	key, err = x509.MarshalPKCS8PrivateKey(own)
	return certificate, key, err
}

func certificateFor(name string) (*x509.Certificate, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return nil, err
	}
	now := time.Now()
	return &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: name},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(validity),
	}, nil
}
